"""Job scripts that users and operators have published: what is kept of each, and its verdict here."""
