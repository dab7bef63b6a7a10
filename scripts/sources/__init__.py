"""Watch what the facts were read from: which source has moved since, and in which lines with a fact's numbers."""
