"""Check every facts file, count them, and list the pages that nobody has read for over a year."""

from scripts.errors import parser_of, run
from scripts.facts import load_all, today
from scripts.facts.age import aged


def main() -> None:
    parser_of("guide facts", __doc__).parse_args()
    clusters = load_all()
    partitions = sum(len(cluster.partitions) for cluster in clusters.values())
    print(f"Clusters: {len(clusters)}, partitions: {partitions}. All facts files are well formed.")
    for sentence in aged(clusters, today()):
        print(sentence)


if __name__ == "__main__":
    run(main)
