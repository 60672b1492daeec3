"""A game that is not of the house: nothing outside its folder knows it."""
