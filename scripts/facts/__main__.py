"""Check every facts file, say how many there are, and which pages nobody has read for over a year: `guide facts`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from scripts.errors import run
from scripts.facts import load_all, today
from scripts.facts.age import aged
from scripts.facts.load import read_file
from scripts.facts.units import Date
from scripts.paths import SNIPPETS, shown


def due(clusters: Iterable[str], day: Date) -> Iterator[str]:
    """What a person must look at on this day, whatever the sources say: pages read long ago."""
    for key in clusters:
        path = SNIPPETS / key / "cluster.yml"
        cluster, lines = read_file(path)
        yield from aged(cluster, lines, shown(path), day)


def main() -> int:
    argparse.ArgumentParser(
        prog="guide facts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    clusters = load_all()
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    print(f"{len(clusters)} clusters, {partitions} partitions: all facts files are well formed.")
    for sentence in due(clusters, today()):
        print(sentence)
    return 0


if __name__ == "__main__":
    run(main)
