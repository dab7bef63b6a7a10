"""Check one record of `guide measure`: see scripts/measure/one.py."""

from scripts.errors import run
from scripts.measure.one import main

if __name__ == "__main__":
    run(main)
