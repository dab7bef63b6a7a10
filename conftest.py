"""Let pytest collect the guide's snippets and pages; the collector itself is tests/snippets/collector.py;
at the end tests/counts.py says what was proved, and tests/needs.py what is missing on this machine."""

pytest_plugins = ["tests.needs", "tests.counts", "tests.snippets.collector"]
collect_ignore = ["site", ".venv", "docs/made", "docs/snippets"]
