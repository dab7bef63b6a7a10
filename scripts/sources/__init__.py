"""Watch what the facts were read from: which source has changed since, and in which numbers."""
