"""What a living cluster says of itself, held against the facts."""
