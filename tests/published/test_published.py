"""Users' published job scripts: the record is sound, and a part of it is judged anew. `make agree` judges all of it."""

import hashlib
import re
import subprocess

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.models import load_model
from scripts.published import Place, load_published, share
from scripts.published.__main__ import differing, untrue
from scripts.published.extract import draw
from scripts.published.judged import judged
from scripts.tables.published import published
from tests.twin import kept as twins

CLUSTERS = load_all()
ALL = [(place, script) for place in load_published().values() for script in place.scripts]
EACH = 9  # one of so many is judged anew
SAMPLE = {key: [script for _, script in ALL[::EACH] if script.cluster == key] for key in CLUSTERS}


@pytest.mark.parametrize("key", [key for key, scripts in SAMPLE.items() if scripts])
def test_the_verdict_on_record_is_todays(key):
    cluster = CLUSTERS[key]
    twins.need_scheduler(cluster.scheduler.kind)
    for script in SAMPLE[key]:
        assert judged(cluster, script)[0] == script.verdict, script.path


def test_there_are_enough_and_none_counts_twice():
    assert len(ALL) >= 150 and len({script.sha256 for _, script in ALL}) == len(ALL)
    assert {script.cluster for _, script in ALL} <= set(CLUSTERS)
    assert sum(numbers.total() for numbers in share().values()) == len(ALL)


def test_nobodys_address_is_kept():
    told = [word for _, script in ALL for word in (*script.options, *script.commands)]
    assert {found for word in told for found in re.findall(r"[\w.+-]+@[\w-]+\.\w+", word)} <= {"someone@example.org"}


@pytest.mark.parametrize("place", load_published().values(), ids=lambda place: place.repository)
def test_a_script_rebuilt_is_drawn_as_the_same(place):
    for script in place.scripts:
        kind = CLUSTERS[script.cluster].scheduler.kind
        assert draw(script.drawn.script(kind), kind) == script.drawn, script.path


def test_the_table_counts_every_script():
    table = published(CLUSTERS)
    rows = [line.split("|") for line in table.splitlines() if re.match(r"\| (?!System|---)", line)]
    assert sum(int(row[2]) for row in rows) == len(ALL)
    assert sum(int(row[3]) for row in rows) == sum(script.verdict == "accepted" for _, script in ALL)


ENTRY = """repository: some/one
commit: {commit}
scripts:
- cluster: roihu
  known_by: "named in it"
  path: a.sh
  sha256: {sha}
  shell: "#!/bin/bash"
  options: ["--account=project_2001234", "--partition=small", "--time={time}"]
  commands: ["./program"]
  verdict: accepted
"""


def test_another_verdict_is_told(tmp_path):
    twins.need_scheduler("slurm")
    file = tmp_path / "one.yml"
    for time, said in (("10:00", []), ("99-0", ["refused, no longer accepted"])):
        file.write_text(ENTRY.format(commit="0" * 40, sha="0" * 64, time=time), encoding="utf-8")
        found = list(differing(load_model(file, Place, "")[0]))
        assert len(found) == len(said) and all(part in fault for part, fault in zip(said, found, strict=True))


def test_a_refusal_without_its_reason_is_refused(tmp_path):
    file = tmp_path / "one.yml"
    entry = ENTRY.format(commit="0" * 40, sha="0" * 64, time="10:00").replace("accepted", "refused")
    file.write_text(entry, encoding="utf-8")
    with pytest.raises(BadInput, match="because"):
        load_model(file, Place, "")


def test_the_record_is_held_against_a_clone(tmp_path):

    text = "#!/bin/bash\n#SBATCH --account=project_2001234\n#SBATCH --partition=small\n#SBATCH --time=10:00\n./mine\n"
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "a.sh").write_text(text, encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", clone]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "One"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, encoding="utf-8").stdout
    file = tmp_path / "one.yml"
    good = ENTRY.format(commit=commit.strip(), sha=hashlib.sha256(text.encode()).hexdigest(), time="10:00")
    for entry, said in (
        (good, None),
        (good.replace("a.sh", "b.sh"), "no such file"),
        (good.replace("--time=10:00", "--time=11:00"), "other options"),
        (re.sub("sha256: .*", "sha256: " + "0" * 64, good), "not the one that was recorded"),
    ):
        file.write_text(entry, encoding="utf-8")
        found = list(untrue(load_model(file, Place, "")[0], clone))
        assert found == [] if said is None else said in found[0]
