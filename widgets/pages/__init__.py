"""The pages that notebooks open; each puts the other rooms together."""
