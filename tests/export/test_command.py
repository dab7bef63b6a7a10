"""`guide export` on the command line: it prints or writes, never over a file unasked, and says what cannot be."""

import pytest

from scripts.errors import BadInput
from scripts.export.__main__ import TARGETS, possible
from scripts.facts import load, load_named
from scripts.paths import SNIPPETS
from tests.export.exported import files
from tests.in_process import call

PUHTI = load_named("puhti")


def test_it_prints_and_tells_which_lines_to_set(tmp_path):
    done = call("scripts.export", "kestrel", "--for", "nf-core", cwd=tmp_path)
    (text,) = files("kestrel", "nf-core").values()
    assert (done.returncode, done.stdout.rstrip("\n")) == (0, text.rstrip("\n"))
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "myproject" in each)
    assert done.stderr.splitlines()[1:] == [f"  kestrel.config:{line}: your account"]
    assert list(tmp_path.iterdir()) == []


def test_it_writes_all_files_or_none(tmp_path):
    words = ("scripts.export", "kestrel", "--for", "ci", "--into", tmp_path / "new")
    assert call(*words, cwd=tmp_path).returncode == 0
    found = {str(path.relative_to(tmp_path / "new")): path for path in (tmp_path / "new").rglob("*") if path.is_file()}
    assert {name: path.read_text(encoding="utf-8") for name, path in found.items()} == files("kestrel", "ci")
    found["ci.sh"].write_text("mine", encoding="utf-8")
    found["runner.sh"].unlink()
    done = call(*words, cwd=tmp_path)
    assert done.returncode == 2 and "add --force" in done.stderr and len(done.stderr.splitlines()) == 1
    assert found["ci.sh"].read_text(encoding="utf-8") == "mine" and not found["runner.sh"].exists()
    assert call(*words, "--force", cwd=tmp_path).returncode == 0
    assert found["ci.sh"].read_text(encoding="utf-8") == files("kestrel", "ci")["ci.sh"]
    found["ci.sh"].unlink()
    found["cscs-ci.yml"].unlink()
    found["cscs-ci.yml"].mkdir()
    done = call(*words, "--force", cwd=tmp_path)
    assert done.returncode == 2 and "cscs-ci.yml: is a directory." in done.stderr and not found["ci.sh"].exists()
    (tmp_path / "file").touch()
    done = call(*words[:-1], tmp_path / "file/below", cwd=tmp_path)
    assert done.returncode == 2 and "cannot be written" in done.stderr


@pytest.mark.parametrize(
    "words, said",
    [
        (["puhti", "--for", "nf-core"], "Puhti cannot run jobs now. Export its successor, Roihu."),
        (["vermilion", "--for", "ci"], "Vermilion cannot run jobs now. Simulate it instead: --for reframe"),
        (["arc4", "--for", "snakemake"], "ARC4 has Grid Engine, but this export is for Slurm."),
        (["kestrel", "--for", "reframe"], "Add --into DIR."),
        (["kestrel", "--for", "ci", "--into", ""], "argument --into: the name is empty"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(words, said, tmp_path):
    done = call("scripts.export", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "") and said in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 1 or done.stderr.startswith("usage:")


@pytest.mark.parametrize("key, lacks", [("gautschi", "has no share of its node"), ("superpod", "nodes without GPUs")])
def test_what_the_facts_lack_is_told(key, lacks, tmp_path, monkeypatch):
    cluster = load.load_cluster(SNIPPETS / "collections/elsewhere" / key / "cluster.yml")
    for tool in ("nf-core", "snakemake"):
        with pytest.raises(BadInput, match=rf"cluster\.yml: .*{lacks}"):
            TARGETS[tool](cluster)
    monkeypatch.setattr(load, "FACTS", tmp_path)
    with pytest.raises(BadInput, match="Simulate it instead"):
        possible(PUHTI, "ci")


@pytest.mark.parametrize("key", ["kestrel", "arc4"])
def test_reframe_has_one_writer(key, tmp_path):
    """The suite is that of `guide reframe`, also for a system that only its twin can run."""
    assert call("scripts.export", key, "--for", "reframe", "--into", "suite", cwd=tmp_path).returncode == 0
    assert call("scripts.reframe", key, cwd=tmp_path).returncode == 0
    mine, theirs = tmp_path / "suite", tmp_path / f"reframe-{key}"
    names = {path.relative_to(mine) for path in mine.rglob("*") if path.is_file()}
    assert names == {path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file()} and len(names) > 9
    assert all((mine / name).read_bytes() == (theirs / name).read_bytes() for name in names)
