"""The board and what stands beside it: it knows positions and results, and nothing of lessons, classes or servers."""
