"""The games of the house, one folder each. ``LDV_GAMES`` names further folders that hold games, as ``PATH`` does."""

import os

__path__ += [os.path.abspath(place) for place in os.environ.get("LDV_GAMES", "").split(os.pathsep) if place]
