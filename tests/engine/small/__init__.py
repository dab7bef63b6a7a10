"""Made-up systems beside the real ones: so small that every limit is near."""

from __future__ import annotations

from pathlib import Path

import yaml

from scripts.facts import Cluster
from tests.engine.small.drawn import drawn_system

ODD = "small"  # the system that odd.yml is written for
DRAWN = (  # those whose cases notice what no other system's do
    *(0, 1, 2, 5, 9, 14, 19, 5018, 9079, 40000, 40001, 40003, 40012, 40014, 51007, 51032, 51057, 51060, 51064, 51070),
    *(51099, 51124, 51128, 51140, 51184, 52027, 52029, 98057),
)


def small_systems() -> dict[str, Cluster]:
    """Key -> system, of each file here and some drawn; no page knows them, but they have twins."""
    files = sorted(Path(__file__).parent.glob("*.yml"))
    found = [Cluster.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files]
    return {each.key: each for each in [*found, *map(drawn_system, DRAWN)]}
