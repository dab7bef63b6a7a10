"""Systems side by side: a column for each, and in it what its own tables say, but their notes."""

import re

from scripts.facts import load_all
from scripts.tables.compare import LEFT_OUT, PARTS, columns, first_answers

CLUSTERS = load_all()


NONE = "none published"  # a column leaves that out


def cells(text: str) -> list[list[str]]:
    return [re.split(r"(?<!\\) \| ", line[2:-2]) for line in text.splitlines() if line.startswith("| ")]


def test_each_system_has_a_column_and_those_that_run_a_row():
    head, _, *rows = cells(columns(CLUSTERS))
    assert sorted(head[1:]) == sorted(f"[{each.name}](/clusters/{key}.md)" for key, each in CLUSTERS.items())
    assert all(len(row) == len(head) for row in rows)
    assert len({row[0] for row in rows}) == len(rows), "a label stands twice"
    running = [f"[{each.name}](/clusters/{key}.md)" for key, each in CLUSTERS.items() if each.running]
    assert sorted(row[0] for row in cells(first_answers(CLUSTERS))[2:]) == sorted(running)


def test_a_column_says_what_the_systems_own_tables_say():
    head, _, *rows = cells(columns(CLUSTERS))
    for cluster in CLUSTERS.values():
        column = next(n for n, name in enumerate(head) if name.startswith(f"[{cluster.name}]"))
        said = "<br>".join(row[column] for row in rows).replace("\\|", "|")
        for make in PARTS.values():
            of_gpus = make(cluster, CLUSTERS).replace("\\|", "¦")
            if make is PARTS["Partitions"]:  # of its tables not that of CPU partitions
                of_gpus = "\n\n".join(part for part in of_gpus.split("\n\n") if "CPU partitions" not in part[:40])
            for line in of_gpus.splitlines():
                if line.startswith("| ---"):
                    continue
                wanted = re.split(r"(?<!\\) \| ", line.strip("|- ")) if line.startswith("|") else [line[2:]]
                if line.startswith("| ") and wanted[-1] in (cluster.name, "Share of cores and memory", "Use"):
                    continue  # a head
                if not line.strip() or wanted[0] in LEFT_OUT or line.startswith("- ") and make is not PARTS["Billing"]:
                    continue
                if wanted[-1].startswith(("Limits per job", "Description")):
                    continue
                assert all(each.replace("¦", "|") in said for each in wanted[1:] or wanted if each != NONE), (
                    cluster.key,
                    line,
                )


def test_a_retired_system_can_be_chosen_beside_its_successor():
    head = cells(columns(CLUSTERS))[0]
    names = [re.match(r"\[(.+?)\]", name)[1] for name in head[1:]]
    assert names.index("Puhti") > max(names.index(each.name) for each in CLUSTERS.values() if each.running)
