"""Made-up systems beside the real ones: so small that every limit is near."""

from pathlib import Path

import yaml

from scripts.facts import Cluster
from tests.engine.small.drawn import drawn_system, made_up

ODD = "small"  # the system that odd.yml is written for
DRAWN = (14, 9079, 51070)  # three that differ much in kinds of node and in limits


def small_systems() -> dict[str, Cluster]:
    """Key -> system, of each file here and some drawn; no page knows them, but they have twins."""
    files = sorted(Path(__file__).parent.glob("*.yml"))
    found = [made_up(file.stem, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files]
    return {each.key: each for each in [*found, *map(drawn_system, DRAWN)]}
