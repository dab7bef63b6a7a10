"""Let pytest collect the guide's snippets and pages; the collector itself is tests/snippets/collector.py;
at the end tests/needs.py says what is missing on this machine, and tests/tiers.py what was left to the night."""

pytest_plugins = ["tests.needs", "tests.tiers", "tests.snippets.collector"]
collect_ignore = ["site", ".venv", "docs/made", "docs/snippets"]
