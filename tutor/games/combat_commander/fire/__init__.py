"""Fire: who may fire at what, how strong, what covers, the dice, what they do, and the odds."""
