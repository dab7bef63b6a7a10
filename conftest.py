"""Let pytest collect the guide's snippets and pages; the collector itself is tests/snippets/collector.py."""

pytest_plugins = ["tests.snippets.collector"]
collect_ignore = ["site", ".venv", "docs/snippets"]
