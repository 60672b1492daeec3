"""Fire: who may join, the firepower and the modifiers, the dice, what they do, and the odds."""
