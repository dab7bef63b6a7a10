"""Check every facts file, say how many there are, and which announced changes are past due: `guide facts`."""

from __future__ import annotations

import argparse

from scripts.errors import run
from scripts.facts import load_all, today
from scripts.facts.coming import past_due
from scripts.facts.load import read_file
from scripts.paths import SNIPPETS, shown


def main() -> int:
    argparse.ArgumentParser(prog="guide facts", description=__doc__).parse_args()
    day = today()
    clusters = load_all(day=day)
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    coming = sum(len(cluster.coming) for cluster in clusters.values())
    print(
        f"{len(clusters)} clusters, {partitions} partitions, {coming} facts to change: all facts files are well formed."
    )
    for key in clusters:
        path = SNIPPETS / key / "cluster.yml"
        for sentence in past_due(*read_file(path), shown(path), day):
            print(sentence)
    return 0


if __name__ == "__main__":
    run(main)
