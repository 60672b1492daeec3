"""What stands beside or under a board: verdict and steps, odds, legend, settings, profile, tracks, deck."""
