"""The npm package: it could be published as it stands, and judges with what it brings along."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.jobscript import options, package
from scripts.jobscript.__main__ import main
from scripts.jobscript.node import ENGINE, ask, node
from scripts.paths import SNIPPETS
from tests.needs import need

FAULTY = "#!/bin/bash\n#SBATCH --account=project_2001234 --partition=gpu --time=1:0:0\n#SBTACH --gres=gpu:v100:1\n./a\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("package") / "made"
    package.make(place)
    return place


def command(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [node(), folder / "cli.js", *map(str, words)], capture_output=True, encoding="utf-8", check=False
    )


def test_npm_would_pack_all_of_it_and_nothing_else(folder):
    npm = shutil.which("npm") or str(Path(node()).with_name("npm"))
    if not Path(npm).exists():
        need("npm", "npm")
    asked = [npm, "pack", "--dry-run", "--json", "--offline", "--ignore-scripts"]
    done = subprocess.run(asked, cwd=folder, capture_output=True, encoding="utf-8", check=True)
    (packed,) = json.loads(done.stdout)
    names = {each["path"] for each in packed["files"]}
    engine = {path.name for path in ENGINE.glob("*.js")}
    facts = {f"data/{name}.js" for name in [*load_all(), "rules", "options", "grid_options", "messages", "move"]}
    assert names >= engine | facts | {"package.json", "README.md", "LICENSE"}
    assert all(re.fullmatch(r"(data/)?[\w-]+\.js|package\.json|README\.md|LICENSE", name) for name in names)


def test_every_part_that_is_named_is_there():
    named = re.search(r"PARTS = \[(.*?)\]", (ENGINE / "index.js").read_text(encoding="utf-8"), re.DOTALL)[1]
    parts = re.findall(r'"([\w-]+)"', named)
    assert len(parts) == len(set(parts)) and all((ENGINE / f"{part}.js").is_file() for part in parts)
    assert {path.stem for path in ENGINE.glob("*.js")} - set(parts) == {"index", "command", "cli"}


def test_its_options_are_those_of_the_tables(folder):
    say = "process.stdout.write(JSON.stringify(require(process.argv[1]).data.options))"
    done = subprocess.run([node(), "-e", say, folder / "index.js"], capture_output=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == options.tables()


def test_it_judges_by_itself(folder, tmp_path, monkeypatch):
    path = tmp_path / "job.sh"
    path.write_text(FAULTY, encoding="utf-8")
    done = command(folder, "judge", "puhti", path, "--json")
    (theirs,) = json.loads(done.stdout)
    (ours,) = ask("judge", [load_all()["puhti"]], "puhti", {str(path): FAULTY})
    assert theirs == ours and done.returncode == 0, "what is ignored is taken"
    told = command(folder, "judge", "puhti", path)
    assert f"{path}:3: ignored: " in told.stdout and told.returncode == 0
    assert command(folder, "judge", "puhti", SNIPPETS / "puhti/one_gpu.sh").returncode == 0
    path.write_text(FAULTY.replace("time=1:0:0", "time=99-0"), encoding="utf-8")
    assert command(folder, "judge", "puhti", path).returncode == 1
    monkeypatch.setattr("sys.argv", ["guide", "judge", "puhti", str(path)])
    assert main() == 1
    doubtful = "#SBATCH --account=project_2009999 --partition=gpularge --gres=gpu:1 --time=60"
    path.write_text(f"#!/bin/bash\n{doubtful}\nsrun ./a\n", encoding="utf-8")
    assert command(folder, "judge", "roihu", path).returncode == 2, "as `guide judge`"
    monkeypatch.setattr("sys.argv", ["guide", "judge", "roihu", str(path)])
    assert main() == 2


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "usage: "),
        (("judge", "puhti"), "usage: "),
        (("judge", "nowhere", "a.sh"), "nowhere: no such cluster. Known here: "),
        (("judge", "constructor", "a.sh"), "constructor: no such cluster."),
        (("judge", "puhti", "missing.sh"), "missing.sh: cannot be read (ENOENT)."),
    ],
)
def test_bad_input_is_told_in_a_sentence(folder, words, said):
    done = command(folder, *words)
    assert done.returncode == 2 and done.stderr.startswith(said) and done.stderr.count("\n") == 1


def test_nothing_is_overwritten(folder):
    with pytest.raises(BadInput, match="is there already"):
        package.make(folder)
