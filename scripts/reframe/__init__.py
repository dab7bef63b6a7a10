"""A ReFrame suite for each cluster, from the facts: settings, the guide's job scripts, what they must print."""
