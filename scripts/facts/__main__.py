"""Check every facts file, count them, and list the pages that nobody has read for over a year."""

import argparse

from scripts.errors import run
from scripts.facts import load_all, today
from scripts.facts.age import aged


def main() -> None:
    argparse.ArgumentParser(prog="guide facts", description=__doc__).parse_args()
    clusters = load_all()
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    print(f"Clusters: {len(clusters)}, partitions: {partitions}. All facts files are well formed.")
    for sentence in aged(clusters, today()):
        print(sentence)


if __name__ == "__main__":
    run(main)
