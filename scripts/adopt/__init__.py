"""A cluster's facts, made from what its scheduler says of itself."""
