"""How fast and how large the guide's own tools are. Speed lives here, never in a test: `make bench`."""
