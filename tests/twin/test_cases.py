"""What the operators' own pages say is accepted or refused, asked of the twins: tests/twin/cases/<centre>.yml.

Below a cluster and a source (page and date) stand `also` (options that all jobs have; left out, it is the file's),
`accepted` (options), and `refused` (options, and a part of what the scheduler must say).
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.facts.limits import limits
from scripts.twin.slurm.conf import gres_type
from scripts.yaml_lines import load
from tests.clusters import CLUSTERS
from tests.twin import kept
from tests.twin.many import ask_many

CASES = defaultdict(list)
for path in sorted((Path(__file__).parent / "cases").glob("*.yml")):
    systems, _ = load(path)
    also = systems.pop("also", "")
    for key, groups in systems.items():
        CASES[key] += [{"also": also, "source": source} | group for source, group in groups.items()]


def cases_of(key: str) -> tuple[list[tuple[str, str | None, dict]], list[str]]:
    """Each case of a system, as options, reason and group; and its script."""
    cases = [
        (options, reason, group)
        for group in CASES[key]
        for options, reason in (dict.fromkeys(group.get("accepted", [])) | group.get("refused", {})).items()
    ]
    prefix = CLUSTERS[key].scheduler.words.prefix
    return cases, [f"#!/bin/bash\n{prefix} {group['also']} {options}\ntrue\n" for options, _, group in cases]


@pytest.mark.parametrize("key", CASES)
def test_the_engine_decides_as_the_operator_says(key):
    cases, scripts = cases_of(key)
    decided = ask("decide", [CLUSTERS[key]], [[key, script] for script in scripts])
    for (options, _, group), each in zip(cases, decided, strict=True):
        wanted = "accepted" if options in group.get("accepted", []) else "refused"
        assert each["verdict"] in (wanted, "not judged"), (options, group["source"])


@pytest.mark.parametrize("key", CASES)
def test_the_twin_says_what_the_operator_says(key):
    cases, scripts = cases_of(key)
    wrong = []
    for (options, reason, group), answer in zip(cases, ask_many(kept.twin(CLUSTERS[key]), scripts), strict=True):
        if answer.accepted != (options in group.get("accepted", [])):
            wrong.append(f"{options}: accepted is {answer.accepted}, but see {group['source']}: {answer.said}")
        elif not answer.accepted and (not reason or reason not in answer.said):
            wrong.append(f"{options}: refused for another reason than `{reason}`: {answer.said}")
    assert wrong == []


# Limits that only our own plugin keeps, and that no operator's page has a refused job for: engine and twin read the
# same row, so nothing but the facts' source speaks for them.
NO_CASE = {"partitions.max_time_several_gpus", "gpus.max_cores", "gpus.max_memory"}


def test_limits_of_our_plugin_are_held_against_an_operators_case():
    of_plugin, held = set(), set()
    for key, cluster in CLUSTERS.items():
        reasons = [reason for group in CASES[key] for reason in group.get("refused", {}).values() if reason]
        for limit, refusal in plugin_refusals(cluster):
            of_plugin.add(limit)
            held |= {limit for reason in reasons if reason in refusal}
    assert of_plugin - held == NO_CASE


def plugin_refusals(cluster: Cluster) -> Iterator[tuple[str, str]]:
    """Each limit that only the plugin keeps, as `gpus.max_cores`, and what it says there."""
    groups = {
        "policy": {"": cluster.policy},
        "partitions": cluster.partitions,
        "gpus": {gres_type(gpu.gres): gpu for gpu in cluster.gpus.values()},
        "qos": cluster.qos,
    }
    for group, parts in groups.items():
        for name, part in parts.items():
            for key, row, number in limits(group, part):
                if row.refusal and not row.slurm_conf:
                    yield f"{group}.{key}", row.refusal.format(limit=number, name=name)
