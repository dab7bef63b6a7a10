"""From a capture to facts: guide adopt."""
