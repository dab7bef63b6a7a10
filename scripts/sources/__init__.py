"""Watch what the facts were read from: which source has changed since, and which fact's number it has no more."""
