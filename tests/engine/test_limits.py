"""A limit of any group is obeyed by all that the guide moves and writes: tried with limits that no system has."""

import pytest

import scripts.engine.ask as asking
from scripts.facts.limits import TABLE, Limit
from scripts.facts.units import Memory, Walltime
from tests.clusters import CLUSTERS
from tests.engine.moves import all_asks, moved, not_kept
from tests.engine.written import without_way_out, written

ASKS = [each for each in all_asks(CLUSTERS) if each[2] == "fir"][::2]
FIELDS = [{}, {"gpus": "2"}, {"gpus": "4", "memory": "900G"}, {"nodes": "2"}, {"cores": "9"}, {"array": "1-9"}]
FILLINGS = [{"time": "20m", "gpu": gpu, **each} for gpu in ("h100", "none") for each in FIELDS]
LIMITS = [
    ("gpus", "max_memory", "memory_per_gpu", Memory("100 GiB"), "now has 100G, the maximum for one GPU"),
    ("gpus", "max_cores", "cores_per_gpu", 5, "The maximum for one GPU is 5 cores"),
    ("policy", "most_memory", "memory_per_node", Memory("64 GiB"), "allows at most 64G of memory per node, but"),
    ("policy", "most_cores", "cores", 6, "allows at most 6 cores per job, but"),
    ("policy", "most_time", "minutes", Walltime("0-00:30:00"), "time limit on Fir is 30 minutes, but"),
    ("policy", "most_gpus", "gpus", 2, "has no partition that accepts a job with 4 NVIDIA H100"),
    ("policy", "max_queued_jobs", "jobs", 3, "accepts at most 3 jobs"),
]


@pytest.mark.parametrize("group, key, quantity, limit, said", LIMITS)
def test_all_that_is_moved_and_written_obeys_it(monkeypatch, group, key, quantity, limit, said):
    fir = _with(monkeypatch, group, key, quantity, limit)
    moves = moved(CLUSTERS | {"fir": fir}, ASKS)
    forms = written(fir, FILLINGS)
    scripts = [case.script for case in [*moves, *forms] if case.script]
    decided = asking.ask("decide", [fir], [["fir", script] for script in scripts])
    refused = [script for script, each in zip(scripts, decided, strict=True) if each["verdict"] == "refused"]
    assert refused == []
    assert len([case for case in moves if case.script]) > 20 and sum(bool(case.script) for case in forms) > 4
    assert [fault for case in moves for fault in not_kept(case)] == without_way_out(forms) == []
    reasons = [change["reason"] for case in moves for change in case.changes]
    assert said in " ".join([*reasons, *(each for case in moves for each in case.impossible)])


def _with(monkeypatch, group: str, key: str, quantity: str, limit: object):
    """Fir with this limit, whose row is made up where the table has none."""
    asking.ask("need", CLUSTERS.values(), [])  # the facts of the others have no such key
    row = Limit(quantity=quantity, refusal="Too much: {limit}", finding="too-much", says="too much")
    rows = getattr(TABLE, group)
    monkeypatch.setitem(rows, key, rows.get(key, row))
    monkeypatch.setattr(asking, "_common", set())
    fir = CLUSTERS["fir"]
    if group == "policy":
        return fir.model_copy(update={"policy": fir.policy.model_copy(update={key: limit})})
    gpus = {name: gpu.model_copy(update={key: limit}) for name, gpu in fir.gpus.items()}
    return fir.model_copy(update={"gpus": gpus})
