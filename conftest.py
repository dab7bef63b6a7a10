"""Let pytest collect the guide's snippets and pages; the collector itself is tests/collector.py."""

pytest_plugins = ["tests.collector"]
