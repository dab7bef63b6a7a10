"""A job script to findings: what the scheduler refuses, what it ignores in silence, what is unwise."""
