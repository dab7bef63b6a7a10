"""What the operators' own pages say is accepted or refused, asked of the twins: tests/twin/cases/<centre>.yml.

A group of cases there: `cluster`, `source` (page and date), `also` (options that all of them have), `accepted`
(options), `refused` (options, and a part of what the scheduler must say).
"""

import shlex
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.facts import Cluster, load_all
from scripts.facts.limits import limits
from scripts.twin.daemon import Twin
from scripts.twin.slurm.conf import gres_type
from scripts.yaml_lines import load
from tests.twin import kept

CLUSTERS = load_all()
GROUPS = [group for path in sorted((Path(__file__).parent / "cases").glob("*.yml")) for group in load(path)[0]]
CASES = defaultdict(list)
for each in GROUPS:
    CASES[each["cluster"]].append(each)


def ask(twin: Twin, options: str) -> subprocess.CompletedProcess[str]:
    words = shlex.split(options)
    slurm = twin.cluster.scheduler.kind == "slurm"
    job = ["sbatch", "--test-only", *words, "--wrap=true"] if slurm else ["qsub", "-w", "v", *words, "-b", "y", "true"]
    return subprocess.run(job, env=twin.environment, capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("key", CASES)
def test_the_twin_says_what_the_operator_says(key, record_property):
    twin, wrong, asked = kept.twin(CLUSTERS[key]), [], 0
    with twin.in_use():
        for group in CASES[key]:
            also = group.get("also", "")
            for options in group.get("accepted", []):
                said = ask(twin, f"{also} {options}")
                asked += 1
                if said.returncode:
                    wrong.append(f"{options}: refused, but see {group['source']}: {said.stderr or said.stdout}")
            for options, reason in group.get("refused", {}).items():
                said = ask(twin, f"{also} {options}")
                asked += 1
                if not said.returncode:
                    wrong.append(f"{options}: accepted, but see {group['source']}")
                elif not reason or reason not in said.stderr + said.stdout:
                    wrong.append(f"{options}: refused for another reason than `{reason}`: {said.stderr or said.stdout}")
    record_property("cases", asked)
    assert wrong == []


def test_every_case_has_its_source():
    assert GROUPS and [group for group in GROUPS if not group.get("source")] == []


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
