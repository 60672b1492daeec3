"""What ``make bench`` measures; what is about one game alone is in ``bench/`` of its room, ``tests/games/<game>/``."""

from pathlib import Path

__path__ += sorted(str(room) for room in (Path(__file__).parent.parent / "tests" / "games").glob("*/bench"))
