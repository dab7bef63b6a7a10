"""A change planted in a capture is found and named, and nothing besides."""

import re

import pytest

from scripts.compare.rows import AGREES
from tests.compare.asked import asked, rows_of
from tests.compare.plant import changes, sample
from tests.tiers import by_day

KEYS = ("kestrel", "lumi", "mahti", "puhti", "rivanna", "roihu")


@pytest.fixture(scope="module")
def captures() -> dict[str, str]:
    """As a cluster itself would have answered."""
    return {key: asked(key).replace("# twin: yes\n", "") for key in KEYS}


@pytest.mark.parametrize("number", by_day([60, 200], {60}))
def test_each_is_found_and_named_and_none_besides(number, captures, tmp_path):
    before = {key: {str(row) for row in rows_of(key, text, tmp_path)} for key, text in captures.items()}
    planted, wrong = sample(captures, number), []
    assert len(planted) == len({change.text for change in planted}) == number
    for change in planted:
        key = change.what.partition(":")[0]
        assert change.text != captures[key], f"{change.what} plants nothing"
        new = [row for row in rows_of(key, change.text, tmp_path) if str(row) not in before[key]]
        told = sorted(row.key for row in new if row.verdict != AGREES)
        unmet = [pattern for pattern in change.told if not any(re.fullmatch(pattern, name) for name in told)]
        if unmet or len(told) != len(change.told):
            wrong.append((change.what, change.told, [str(row) for row in new if row.verdict != AGREES]))
    assert wrong == []


QOS = """## qos: sacctmgr -n -P show qos format=Name,MaxWall,MaxTRES,MaxTRESPU,MaxJobsPU,MaxSubmitPU,MinTRES
planted|77-07:00:00|node=3,gres/gpu=5||7|9|gres/gpu=2"""
OF_QOS = {"max_jobs": "9", "max_running_jobs": "7", "max_gpus": "5", "min_gpus": "2"}


@pytest.mark.parametrize("key", KEYS)
def test_each_limit_of_a_partitions_quality_of_service_is_its_own(key, captures, tmp_path):
    text, number = re.subn(r"(?m)^(PartitionName=\S+ .*)\bQoS=\S+", r"\1QoS=planted", captures[key])
    text = re.sub(r"(?m)^# not asked: qos:.*", QOS, text)
    assert number and "planted|" in text
    told = {
        tuple(row.key.split(".", 2)[1:]): row.theirs for row in rows_of(key, text, tmp_path) if row.key.count(".") == 2
    }
    partitions = {name for name, limit in told if limit == "max_jobs"}
    assert len(partitions) > number / 2
    for name in partitions:
        assert {limit: told[name, limit] for limit in OF_QOS} == OF_QOS, name


@pytest.mark.parametrize("key", KEYS)
def test_cores_that_the_system_keeps_do_not_count_in_whatever_way_they_are_told(key, captures, tmp_path):
    """Older Slurm says what a node has and how many cores are kept, not what is left."""

    def older(line: re.Match[str]) -> str:
        kept = f"{4 * int(line['sockets'])} CoresPerSocket={int(line['cores']) + 4}"
        return re.sub(r" CPUEfctv=\d+", "", line[0]).replace(f"CoresPerSocket={line['cores']}", f"CoreSpecCount={kept}")

    text, number = re.subn(
        r"(?m)^Count=.* CoresPerSocket=(?P<cores>\d+) .* Sockets=(?P<sockets>\d+) .*", older, captures[key]
    )
    assert number and "CPUEfctv" not in text
    told, before = ({str(row) for row in rows_of(key, each, tmp_path)} for each in (text, captures[key]))
    assert told == before


def test_there_are_many_kinds_of_them(captures):
    kinds = {change.what.split(" of ")[0] for key, text in captures.items() for change in changes(key, text)}
    assert len({kind.split(": ", 1)[1] for kind in kinds}) >= 20
