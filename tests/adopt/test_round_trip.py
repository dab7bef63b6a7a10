"""From our facts to a twin's slurm.conf, from what scontrol then prints to new facts: the engine decides the same.

What no scheduler shows is listed in invisible.py, by the keys of the facts.
"""

import pytest

from scripts.facts import load_all
from tests.adopt import invisible
from tests.adopt.captures import adopted, of_twin, verdicts
from tests.adopt.invisible import visible
from tests.compare.asked import CLUSTERS
from tests.engine import generator
from tests.engine.agreement import compare
from tests.tiers import by_day
from tests.twin import kept

BY_DAY = ("kestrel", "mahti")
NUMBER = {True: 150, False: 660}  # 10,000 over all systems at night


def drawn(key: str, number: int) -> list[str]:
    """Scripts near the limits of the whole facts, and of those that a scheduler shows."""
    cluster = CLUSTERS[key]
    half = generator.cases(cluster, number // 2, "adopt")
    return half + generator.cases(visible(cluster), number - number // 2, "adopt again")


@pytest.mark.parametrize("key", by_day(list(CLUSTERS), set(BY_DAY)))
def test_the_engine_decides_the_same_with_the_same_reasons(key, tmp_path):
    scripts = drawn(key, NUMBER[key in BY_DAY])
    before, after = verdicts(visible(CLUSTERS[key]), scripts), verdicts(of_twin(tmp_path, key), scripts)
    differ = [each for each in zip(scripts, before, after, strict=True) if each[1] != each[2]]
    assert differ == []
    assert len({each["verdict"] for each in after}) > 1, "of cases that all end alike, nobody learns anything"


def test_what_no_scheduler_shows_is_this_and_nothing_else():
    """A new limit that slurm.conf knows must be read by `guide adopt`; another one makes this list longer."""
    limits = {group: invisible.plugins_limits(group) for group in ("partitions", "gpus", "qos", "policy")}
    assert limits == {
        "partitions": {
            *("max_nodes_without_allocation", "max_gpus_without_allocation", "max_time_several_gpus"),
            *("min_gpus", "max_gpus", "max_gpus_per_node", "gpu_required", "min_cores", "max_cores"),
            *("min_time", "exclusive_refused", "max_jobs"),
        },
        "gpus": {"max_cores", "max_memory"},
        "qos": {"max_time"},
        "policy": {"slices_per_job", "max_queued_jobs"},
    }
    keys = (*invisible.RULES, *invisible.OF_POLICY, *invisible.OF_PARTITIONS, *invisible.OF_GPUS)
    assert len(keys) == 14


def test_grid_engine_says_its_hosts_its_gpus_and_its_queue(tmp_path):
    arc4 = load_all()["arc4"]
    hosts, queue = (
        kept.twin(arc4).run(words, capture_output=True, encoding="utf-8").stdout
        for words in (["qhost", "-F", "-q"], ["qconf", "-sq", *arc4.partitions])
    )
    new = adopted(tmp_path, "arc4", hosts, queue)
    assert new.scheduler.kind == "grid_engine" and new.gpu_total == arc4.gpu_total == 12
    (gpu,), (name,) = new.gpus.values(), new.partitions
    assert (gpu.request, gpu.gres, gpu.model) == ("-l coproc_v100=1", "coproc_v100", "NVIDIA V100")
    assert new.partitions[name].max_time == arc4.partitions[name].max_time == "2-00:00:00"
    same = [
        sorted((node.cores, node.memory.mib, *node.features) for node in each.node_types.values() if not node.gpus)
        for each in (arc4, new)
    ]
    assert same[0] == same[1] and "localhost" not in str(new)


@pytest.mark.nightly
@pytest.mark.parametrize("key", CLUSTERS)
def test_a_twin_of_the_new_facts_decides_as_the_engine(key, tmp_path):
    new = of_twin(tmp_path, key).model_copy(update={"key": f"{key}adopted"})
    twin = kept.twin(new)
    try:
        compared = compare(twin, drawn(key, 600))
    finally:
        twin.stop()
    assert not compared.differences, "\n\n".join(compared.differences)
    assert 0 < compared.accepted < len(compared.scripts)
