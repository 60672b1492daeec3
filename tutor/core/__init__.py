"""What all games share: grid, geometry, dice, result and trace, tables, position, registry, errors.

No rule lives here.
"""
