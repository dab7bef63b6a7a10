"""The form: what it writes is accepted by the schedulers and by the engine.

`python -m tests.engine.agree` asks about many more scripts, in which all pairs of values stand, and asks shellcheck.
"""

import pytest

from scripts.engine.ask import ask
from tests.clusters import RUNNING
from tests.engine.written import accused, cases, refused, without_way_out

SEED = "by day"
FILLINGS = 40  # of each system; most ask for what cannot be had


@pytest.mark.parametrize("key", RUNNING)
def test_what_the_form_writes_is_accepted(key):
    cluster = RUNNING[key]
    own = cases(cluster, FILLINGS, SEED)
    assert sum(bool(case.script) for case in own) >= 2
    assert refused(cluster, own) == []
    assert accused(cluster, own) == []
    assert without_way_out(own) == []


@pytest.mark.parametrize("size", [0, 40, 48, 64, 80])
def test_where_names_each_gpu_of_the_size_and_all_gpus_of_the_job(size):
    needs = [{"gpus": 8, "gpu_memory": least, "fields": {"time": "1h"}} for least in (0, size)]
    found = ask("where", RUNNING.values(), needs)
    every, large = [each["can"] for each in found]
    assert not [why for each in found[0]["cannot"] if (why := each["reason"].split(": "))[0] in why[1:]]
    assert large == [each for each in every if int(each["label"].split()[-2]) >= size]
    assert len(every) > 9 and {each["gpus"] for each in every} == {8}
