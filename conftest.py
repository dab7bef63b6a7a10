"""Let pytest collect the guide's snippets and pages; the collector itself is tests/snippets/collector.py;
at the end tests/needs.py says what is missing on this machine."""

pytest_plugins = ["tests.needs", "tests.snippets.collector"]
collect_ignore = ["site", ".venv", "docs/made", "docs/snippets"]
