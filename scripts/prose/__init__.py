"""The words of the guide, held against its style guide."""
