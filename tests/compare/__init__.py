"""What a cluster says of itself, asked, read, held against the facts."""
