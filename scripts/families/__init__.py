"""Systems that share their job scripts or their page: see snippets/families/README.md."""

from scripts.paths import SNIPPETS

FAMILIES = SNIPPETS / "families"
