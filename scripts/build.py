"""`python -m scripts.build`: build the guide, or, with GPU_GUIDE_FACTS, the site of another collection of facts."""

from scripts.errors import run
from scripts.paths import OURS

if OURS:
    from scripts.site.build import main
else:
    from scripts.site.__main__ import main

if __name__ == "__main__":
    run(main)
