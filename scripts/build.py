"""`python -m scripts.build`: build the guide; see scripts/site/build.py."""

from scripts.errors import run
from scripts.site.build import main

if __name__ == "__main__":
    run(main)
