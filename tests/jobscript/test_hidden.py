"""Each rule of hidden.py, on a small system where it just holds, and on those where it just does not."""

import copy

import pytest

from scripts.jobscript import facts
from tests.jobscript.hidden import RULES, hidden_by
from tests.jobscript.mixed import mixed_cases
from tests.jobscript.mutants import break_it, recorded, wrongly_hidden
from tests.jobscript.small import small_systems
from tests.jobscript.small.drawn import drawn_system

NODE = {"cpus": 4, "memory": 101, "gres": []}
GPU = NODE | {"gres": [["gpu", "x", 2]]}
LARGE = NODE | {"memory": 102, "tmp": 7, "gres": [["nvme", "", 5]]}
IO = NODE | {"tmp": 6, "gres": [["nvme", "", 4]]}


def system(nodes, parts, **rules):
    """Partitions as {name: {"nodes": {kind: number}, ...}}."""
    return copy.deepcopy({"nodes": nodes, "partitions": parts, "rules": rules})


def of_each(kind, number, **part):
    return {"p": {"nodes": {kind: number}, **part}}


def two_kinds(small=3, large=2, **part):
    return {"p": {"nodes": {"a": small, "b": large}, **part}}


COUNT = ("nodes", "a", "count")
MEMORY = ("nodes", "a", "memory")
PER_CPU = ("partitions", "p", "memory_per_cpu")
PER_GPU = ("partitions", "p", "memory_per_gpu")
PER_NODE = ("partitions", "p", "memory_per_node")
MAX_CPUS = ("partitions", "p", "max_cpus")
MAX_JOBS = ("partitions", "p", "rules", "max_jobs")
MIN_NODES = ("partitions", "p", "min_nodes")
NVME = ("nodes", "a", "gres", "0", "2")

COUNTED = {"a": NODE | {"count": 4}, "b": NODE}
ALIKE = {"a": IO, "b": LARGE}
FIVE_JOBS = {"rules": {"max_jobs": 5}}
LIMIT = {"max_memory": 90}
WIDE = {"max_nodes": 1, "max_cpus": 4, "rules": {"max_cores": 2}}
SEVERAL = {"p": {"nodes": {"a": 1}, "max_cpus": 4}, "q": {"nodes": {"b": 1}, **WIDE}}

# rule, system, path, way: where it holds
HOLDS = [
    ("where_the_next_kind_begins", system(COUNTED, two_kinds(2)), COUNT, -1),
    ("where_the_next_kind_begins", system(COUNTED, two_kinds(3)), COUNT, 1),
    ("where_the_next_kind_begins", system(COUNTED, of_each("a", 3)), COUNT, -1),
    ("as_many_cpus_have_memory", system({"a": NODE}, of_each("a", 1, memory_per_cpu=24)), PER_CPU, 1),
    ("as_many_cpus_have_memory", system({"a": NODE}, of_each("a", 1, memory_per_cpu=33)), PER_CPU, -1),
    ("as_many_gpus_have_memory", system({"a": GPU}, of_each("a", 1, memory_per_gpu=49)), PER_GPU, 1),
    ("the_same_nodes_have_memory", system({"a": NODE}, of_each("a", 1, memory_per_node=100)), PER_NODE, 1),
    ("another_kind_has_all_of_it", system(ALIKE, two_kinds(max_nodes=2)), MEMORY, 1),
    ("another_kind_has_all_of_it", system(ALIKE, two_kinds(max_nodes=2)), NVME, 1),
    ("less_may_be_asked_for", system({"a": NODE}, of_each("a", 1, **LIMIT)), MEMORY, -1),
    ("no_job_has_so_many_cpus", system({"a": NODE}, of_each("a", 1, max_cpus=4)), MAX_CPUS, 1),
    ("no_job_has_so_many_cpus", system({"a": NODE, "b": NODE | {"cpus": 9}}, SEVERAL), MAX_CPUS, 1),
    ("memory_is_ignored", system({"a": NODE}, of_each("a", 1), memory_ignored=True), MEMORY, 1),
    ("fewer_may_be_queued", system({"a": NODE}, of_each("a", 1, **FIVE_JOBS), max_queued_jobs=5), MAX_JOBS, 1),
    ("a_job_has_a_node_anyway", system({"a": NODE}, of_each("a", 1, min_nodes=1)), MIN_NODES, -1),
]

# system, path, way: where none does, by one
JUST_NOT = [
    (system(COUNTED, two_kinds(3)), COUNT, -1),  # then the next kind begins where these end
    (system({"a": NODE}, of_each("a", 1, memory_per_cpu=25)), PER_CPU, 1),  # 4 * 26 MiB
    (system({"a": NODE}, of_each("a", 1, memory_per_cpu=34)), PER_CPU, -1),  # 3 * 33 MiB
    (system({"a": NODE}, of_each("a", 1, memory_per_cpu=1)), PER_CPU, -1),  # none is not one less
    (system({"a": NODE, "b": NODE | {"cpus": 5}}, of_each("a", 1, memory_per_cpu=20)), PER_CPU, 1),  # 5 * 21 MiB
    (system({"a": GPU}, of_each("a", 1, memory_per_gpu=50)), PER_GPU, 1),
    (system({"a": NODE}, of_each("a", 1, memory_per_node=101)), PER_NODE, 1),
    (system(ALIKE, two_kinds(max_nodes=3)), MEMORY, 1),  # of two kinds together
    (system(ALIKE, two_kinds()), MEMORY, 1),
    (system(ALIKE, two_kinds(max_nodes=2, rules={"max_nodes": 3})), MEMORY, 1),
    (system({**ALIKE, "a": IO | {"memory": 102}}, two_kinds(max_nodes=2)), MEMORY, 1),
    (system({**ALIKE, "a": IO | {"tmp": 7}}, two_kinds(max_nodes=2)), ("nodes", "a", "tmp"), 1),
    (system({**ALIKE, "a": IO | {"gres": [["nvme", "", 5]]}}, two_kinds(max_nodes=2)), NVME, 1),
    (system({**ALIKE, "a": IO | {"features": ["io"]}}, two_kinds(max_nodes=2)), MEMORY, 1),
    (system(ALIKE, two_kinds(max_nodes=2) | {"q": {"nodes": {"a": 1}}}), MEMORY, 1),
    (system(ALIKE, two_kinds(max_nodes=2, max_memory=101)), MEMORY, 1),  # --mem=0
    (system({"a": NODE, "b": NODE | {"cpus": 5}}, two_kinds(max_nodes=2)), MEMORY, -1),
    (system({"a": NODE}, of_each("a", 1, max_memory=101)), MEMORY, -1),
    (system({"a": NODE}, of_each("a", 1, **LIMIT)), MEMORY, 1),  # 2 * 51 MiB
    (system({"a": NODE}, of_each("a", 1, max_memory=100)), MEMORY, -1),  # --mem=0
    (system({"a": GPU}, of_each("a", 1, **LIMIT)), MEMORY, -1),  # --mem-per-gpu
    (system({"a": NODE}, of_each("a", 1, **LIMIT) | {"q": {"nodes": {"a": 1}}}), MEMORY, -1),
    (system({"a": NODE}, of_each("a", 1, max_cpus=3)), MAX_CPUS, 1),
    (system({"a": NODE}, of_each("a", 1, max_cpus=4)), MAX_CPUS, -1),
    (system({"a": NODE, "b": NODE | {"cpus": 9}}, SEVERAL | {"q": {"nodes": {"b": 1}}}), MAX_CPUS, 1),
    (system({"a": NODE, "b": NODE | {"cpus": 9}}, SEVERAL | {"r": {"nodes": {"b": 1}, "max_nodes": 1}}), MAX_CPUS, 1),
    (system({"a": NODE}, of_each("a", 1)), MEMORY, 1),
    (system({"a": NODE}, of_each("a", 1, **LIMIT), memory_ignored=True), MEMORY, 1),
    (system({"a": NODE}, of_each("a", 1, **FIVE_JOBS), max_queued_jobs=5), MAX_JOBS, -1),
    (system({"a": NODE}, of_each("a", 1, **FIVE_JOBS)), MAX_JOBS, 1),
    (system({"a": NODE}, of_each("a", 1, min_nodes=1)), MIN_NODES, 1),
    (system({"a": NODE}, of_each("a", 2, min_nodes=2)), MIN_NODES, -1),
]


@pytest.mark.parametrize(("rule", "given", "path", "way"), HOLDS)
def test_a_rule_holds(rule, given, path, way):
    before = copy.deepcopy(given)
    reasons = {each.__name__: each.__doc__ for each in RULES}
    assert hidden_by(given, path, way) == reasons[rule]
    assert given == before


def test_each_rule_is_tried():
    assert {rule for rule, *_ in HOLDS} == {each.__name__ for each in RULES}


@pytest.mark.parametrize(("given", "path", "way"), JUST_NOT)
def test_no_rule_holds(given, path, way):
    assert hidden_by(given, path, way) is None


def test_no_case_of_a_small_system_notices_what_is_hidden():
    """Their numbers are near to each other, and are broken nowhere else: there under another name."""
    record, keys = recorded(), small_systems().keys()
    systems = {f"again {key}": record["systems"][key] for key in keys}
    cases = [[f"again {key}", script] for key, script, _ in record["cases"] if key in keys]
    found = break_it(systems, cases, [], None)["facts"]
    assert sum(each.hidden is not None for each in found) > 10
    assert not wrongly_hidden(found)


def test_no_fresh_case_of_a_drawn_system_notices_what_is_hidden():
    clusters = [drawn_system(number) for number in range(100, 106)]
    systems = {each.key: facts.system(each) for each in clusters}
    cases = [[case.cluster, case.script] for each in clusters for case in mixed_cases(each, 400, "hidden")]
    found = break_it(systems, cases, [], None)["facts"]
    assert sum(each.hidden is not None for each in found) > 10
    assert not wrongly_hidden(found)
