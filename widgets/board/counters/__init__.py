"""Counters, each game's in its own manner."""
