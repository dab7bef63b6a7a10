"""All systems in one table, a column each, of which a script shows two; and the first answers of those that run."""

import re

from scripts.facts.model import Cluster
from scripts.markdown import table
from scripts.tables import cluster as of_one
from scripts.tables.cluster import Clusters, link

SAY_NOTHING = ("", "not published", *of_one.NO_LIMITS)
BAR = re.compile(r"(?<!\\) \| ")
Said = dict[str, list[str]]  # what a row is about: the lines that one system has there


def first_answers(clusters: Clusters) -> str:
    """A row for each running system."""
    rows, heads = [], []
    for cluster in _ordered(clusters):
        if cluster.running:
            heads, row = (cells[:5] for cells in rows_of(of_one.glance(cluster, clusters)))
            rows.append([link(cluster), *row])
    return table(["System", *heads], rows)


def columns(clusters: Clusters) -> str:
    """A column for each system, running ones first; a row for each thing that the tables of any say."""
    chosen = _ordered(clusters)
    said = [_said(cluster, clusters) for cluster in chosen]
    labels = sorted(_labels(said), key=lambda label: FIRST.index(label) if label in FIRST else len(FIRST))
    rows = [(label, *("<br>".join(each.get(label, ["–"])) for each in said)) for label in labels]
    return table(["Property", *(link(cluster) for cluster in chosen)], rows)


def _ordered(clusters: Clusters) -> list[Cluster]:
    return sorted(clusters.values(), key=lambda cluster: (not cluster.running, cluster.name.casefold()))


# What a system's own page says; with it, and the notes below some tables, this page would be too heavy.
LEFT_OUT = ("How to get access", "Documentation", "CPU nodes", "CPU partitions")
# What people decide by; the other rows keep their order.
FIRST = [
    "Main GPU", "Cores and memory per GPU", "Maximum GPU job time", "Cost of one GPU per hour", "Total GPUs",
    "All GPU models", "GPU nodes", "GPU partitions", "Account", "Time limit", "Partition or queue", "GPU model",
    "Memory", "Billing", "Storage",
]  # fmt: skip
ANSWERS = 4  # of the first answers; what else they say has rows of its own
PARTS = {
    "": of_one.at_a_glance,
    "All GPU models": of_one.gpus,
    "Partitions": of_one.partitions,
    "Rules": of_one.rules,
    "Billing": of_one.costs,
    "Software": of_one.software,
    "Storage": of_one.storage,
}


def _said(cluster: Cluster, clusters: Clusters) -> Said:
    """What its tables say: a table of labels and values by its labels, any other as one row, a line for each of its."""
    heads, answers = rows_of(of_one.glance(cluster, clusters))
    found: Said = {head: [answer] for head, answer in list(zip(heads, answers, strict=True))[:ANSWERS]}
    for part, make in PARTS.items():
        for paragraph in make(cluster, clusters).strip().split("\n\n"):
            if not paragraph.startswith("|"):
                if part == "Billing":
                    lines = (line.removeprefix("- ") for line in paragraph.splitlines())
                    found.setdefault(part, []).extend(line for line in lines if not line.startswith(("?", " ")))
                continue
            (head, *_), *rows = rows_of(paragraph)
            if head in LEFT_OUT:
                continue
            for first, *others in rows:
                if len(others) == 1:
                    found |= {first: others} if first not in LEFT_OUT else {}
                else:
                    label = head if part == "Partitions" else part
                    values = "; ".join(each for each in others if each not in SAY_NOTHING) or of_one.missing(cluster)
                    found.setdefault(label, []).append(f"{first}: {values}")
    return found


def _labels(said: list[Said]) -> list[str]:
    """The labels of all systems; what only some have stands behind what it stands behind there."""
    merged: list[str] = []
    for each in said:
        at = 0
        for label in each:
            if label in merged:
                at = merged.index(label) + 1
            else:
                merged.insert(at, label)
                at += 1
    return merged


def rows_of(text: str) -> list[list[str]]:
    """The head and the rows of a Markdown table, as `table` takes them."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [
        [cell.replace("\\|", "|") for cell in BAR.split(line.removeprefix("| ").removesuffix(" |"))] for line in lines
    ]


TABLES = {"compare.md": columns, "first-answers.md": first_answers}
