"""What a family shares reaches each of its systems, and a fault is told where a person mends it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.families import shared
from scripts.paths import ROOT, SNIPPETS, write_whole
from tests.clusters import CLUSTERS

NARVAL = "systems:\n  narval: {GPU: a100, SLICE: a100_2g.10gb}\n"


@pytest.fixture
def family(tmp_path, monkeypatch) -> Path:
    """A family of one system, beside that system's facts."""
    folder = tmp_path / "families/tiny"
    folder.mkdir(parents=True)
    (tmp_path / "narval").mkdir()
    shutil.copy(SNIPPETS / "narval/cluster.yml", tmp_path / "narval")
    (folder / "family.yml").write_text(NARVAL, encoding="utf-8")
    monkeypatch.setattr(shared, "FACTS", tmp_path)
    monkeypatch.setattr(shared, "FAMILIES", tmp_path / "families")
    return folder


def text_of(folder: Path, text: str, name: str = "job.sh") -> str:
    """What the system's script says, when the family's says this."""
    (folder / name).write_text(text, encoding="utf-8")
    return shared.script("narval", name).read_text(encoding="utf-8")


def test_marks_become_the_values_of_the_facts(family):
    marks = {
        "@GPU@:1 @GPU_CORES@ @GPU_MEMORY@": "a100:1 12 124G",
        "@TWO_GPUS_CORES@ @TWO_GPUS_MEMORY@": "24 248G",
        "@GPU@:@NODE_GPUS@ @NODE_CORES@ @NODE_MEMORY@": "a100:4 48 498G",
        "@SLICE@ @SLICE_CORES@ @SLICE_MEMORY@": "a100_2g.10gb 3 31G",
        "me@example.org $@ @small@": "me@example.org $@ @small@",
    }
    assert text_of(family, "\n".join(marks) + "\n") == "\n".join(marks.values()) + "\n"


def test_what_the_family_says_of_a_system_goes_before_its_facts(family):
    (family / "family.yml").write_text(NARVAL.replace("GPU: a100", "GPU: a100, GPU_CORES: 6"), encoding="utf-8")
    assert text_of(family, "@GPU_CORES@ @GPU_MEMORY@") == "6 124G"


def test_a_system_may_have_a_script_of_its_own(family):
    text_of(family, "shared\n")
    write_whole(family / "narval/job.sh", "as on @KEY@\n")
    assert shared.script("narval", "job.sh").read_text(encoding="utf-8") == "as on narval\n"
    assert shared.source(shared.script("narval", "job.sh")) == family / "narval/job.sh"
    (family / "narval/job.sh").unlink()
    assert shared.script("narval", "job.sh").read_text(encoding="utf-8") == "shared\n"


@pytest.mark.parametrize("changed", ["families/tiny/family.yml", "families/tiny/job.sh", "narval/cluster.yml"])
def test_only_what_is_older_is_written_again(family, tmp_path, changed):
    text_of(family, "@GPU_CORES@\n")
    script = tmp_path / "narval/job.sh"
    later = max(path.stat().st_mtime_ns for path in tmp_path.rglob("*")) + 1
    os.utime(script, ns=(later, later))
    assert shared.write() == []
    os.utime(tmp_path / changed, ns=(later, later))
    assert shared.write() == [script]


@pytest.mark.parametrize(
    "family_yml, text, said",
    [
        (NARVAL, "\n@GPU_CORE@\n", r"job\.sh:2: `@GPU_CORE@` has no value for narval\. Did you mean `GPU_CORES`"),
        (NARVAL.replace("a100,", "h100,"), "", r"family\.yml:2: Narval's facts have no GPU `h100`\."),
        (NARVAL.replace("systems", "system"), "", r"family\.yml:1: `system` is not a key"),
        (NARVAL + "  narvall: {}\n", "", r"there is no cluster `narvall`\. Did you mean `narval`"),
    ],
)
def test_a_fault_is_told_with_the_familys_file_and_line(family, family_yml, text, said):
    (family / "family.yml").write_text(family_yml, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        text_of(family, text)
        shared.write()


def test_a_script_that_the_family_does_not_have_is_refused(family, tmp_path):
    (tmp_path / "narval/mine.sh").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match=r"narval/mine\.sh: .* has no script of this name.*tiny/narval, or delete it"):
        text_of(family, "")


def test_what_a_family_writes_is_ignored_by_git_and_nothing_else():
    scripts = [path for file in SNIPPETS.glob("*/cluster.yml") for path in shared.scripts(file.parent.name)]
    written = [path for path in scripts if shared.source(path).is_relative_to(shared.FAMILIES)]
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {f"/snippets/{path.parent.name}/*.sh" for path in written} == {
        line for line in ignored if line.endswith(".sh")
    }


def test_a_systems_own_script_is_its_own_source():
    assert shared.source(SNIPPETS / "puhti/one_gpu.sh") == SNIPPETS / "puhti/one_gpu.sh"


@pytest.mark.parametrize("path", sorted(SNIPPETS.glob("*/more_nodes.sh")), ids=lambda path: path.parent.name)
def test_the_processes_of_a_node_share_its_cores(path):
    text = path.read_text(encoding="utf-8")
    threads = re.search(r"OMP_NUM_THREADS=\"?(.+?)\"?$", text, re.MULTILINE)
    asked = re.search(r"--cpus-per-task=(\d+)", text)  # where only full nodes are given, none
    cores = asked[1] if asked else str(max(node.cores or 0 for node in CLUSTERS[path.parent.name].node_types.values()))
    each = subprocess.run(["bash", "-c", f"echo {threads[1]}"], env={"SLURM_CPUS_PER_TASK": cores}, capture_output=True)
    processes = int(re.search(r"--nproc-per-node=(\d+)", text)[1])
    assert int(each.stdout) * processes <= int(cores)
