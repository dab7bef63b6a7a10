"""What AI assistants read: instructions for each system, and a skill for each center, all from the facts."""
