"""From a system that is switched off to its successor: what takes the place of what, from the two facts files."""
