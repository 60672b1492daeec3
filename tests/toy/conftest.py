"""The toy game is imported as a game, never as tests."""

collect_ignore_glob = ["escarmouche/*"]
