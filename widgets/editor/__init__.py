"""The position editor, and lessons made with it."""
