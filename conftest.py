"""Let pytest collect the guide's snippets and pages; the collector itself is tests/snippets/collector.py;
at the end tests/needs.py says what is missing on this machine."""

import gc

gc.set_threshold(100_000)  # at 700, finding five thousand tests takes a second longer
pytest_plugins = ["tests.needs", "tests.snippets.collector"]
collect_ignore = ["site", ".venv", "docs/made", "docs/snippets"]
