"""`python -m scripts.offline`: pack the built guide into a zip; see scripts/site/after/offline.py."""

from scripts.errors import run
from scripts.site.after.offline import main

if __name__ == "__main__":
    run(main)
