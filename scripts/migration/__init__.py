"""From a system that is retired to its successor: what takes the place of what, from the two facts files."""
