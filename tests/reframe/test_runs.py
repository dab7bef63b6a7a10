"""ReFrame submits the guide's jobs to real schedulers, the twins run them, and what they print comes back."""

import json
import re
from pathlib import Path

import pytest

from scripts.facts import load_all
from scripts.measure import __main__ as measuring
from scripts.paths import SNIPPETS
from tests.twin import kept

pytestmark = pytest.mark.runs
AS_TEXT = {"capture_output": True, "encoding": "utf-8"}
JOB = {"kestrel": ["one_gpu", "array", "stage_data"], "narval": ["one_gpu"]}


@pytest.mark.nightly
@pytest.mark.parametrize("key", JOB)
def test_jobs_pass_on_a_twin_as_they_stand(key, suite, ask):
    """One names its partition, one is routed; the scheduler got the very file, and a node of the twin ran it."""
    folder = suite(key)
    found = ask(key, folder, f"--name=job_script=({'|'.join(JOB[key])})$")
    assert {name: case["result"] for name, case in found.items()} == dict.fromkeys(JOB[key], "pass")
    for name, case in found.items():
        output = Path(case["outputdir"])
        assert (output / "rfm_job.sh").read_bytes() == (SNIPPETS / key / f"{name}.sh").read_bytes()
        assert case["jobid"].isdigit() and case["scheduler"] == "squeue"
        # ReFrame has the nodes from squeue, while the job runs, and that is short; the twin knows them later, too.
        told = kept.twin(load_all()[key]).run(["scontrol", "show", "-o", "job", case["jobid"]], **AS_TEXT)
        assert re.search(r" NodeList=[\w-]+\d", told.stdout), told
        own = [path for path in output.glob("*.out") if path.name != "rfm_job.out"]
        assert len(own) == (4 if name == "array" else 1) and all(case["jobid"] in path.name for path in own)
        whole = (output / "rfm_job.out").read_text(encoding="utf-8")
        assert "stand-in: no GPU here" in whole or name == "stage_data"
        assert all(path.read_text(encoding="utf-8") in whole for path in own)


@pytest.mark.nightly
def test_a_job_passes_on_grid_engine(suite, ask):
    """There ReFrame names the file for what the job prints, on the command line."""
    found = ask("arc4", suite("arc4"), "--name=job_script=one_gpu$")["one_gpu"]
    output = Path(found["outputdir"])
    assert (found["result"], found["scheduler"]) == ("pass", "sge")
    assert (output / "rfm_job.sh").read_bytes() == (SNIPPETS / "arc4/one_gpu.sh").read_bytes()
    assert "stand-in: no GPU here" in (output / "rfm_job.out").read_text(encoding="utf-8")


@pytest.mark.nightly
def test_what_goes_wrong_fails_there(suite, ask):
    """A program that ends with an error, one that prints less, a script that Slurm refuses, a GPU that is too slow."""
    folder = suite("kestrel")
    cases = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    one = (folder / "jobs/one_gpu.sh").read_text(encoding="utf-8")
    faults = {
        "dies": one.replace("check_gpu.py --expect 1", "no_such_program.py"),
        "silent": re.sub(r"matmul.py --device gpu", "-c 'print(1)'", one),
        "refused": one.replace("h100:1", "h100:99"),
        "good": one,
    }
    for name, text in faults.items():
        (folder / f"jobs/{name}.sh").write_text(text, encoding="utf-8")
    cases["jobs"] = {name: cases["jobs"]["one_gpu"] | {"script": f"{name}.sh"} for name in faults}
    (folder / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    found = ask("kestrel", folder, skip_performance=False)
    assert {name: (case["result"], case["fail_phase"]) for name, case in found.items()} == {
        "dies": ("fail", "sanity"),
        "silent": ("fail", "sanity"),
        "refused": ("fail", "run"),
        "good": ("fail", "performance"),  # a CPU is no H100
    }
    assert "Requested node configuration is not available" in found["refused"]["fail_reason"]
    assert "expected 66.9 (l=16.7" in found["good"]["fail_reason"] and "u=66.9" in found["good"]["fail_reason"]


@pytest.mark.nightly
@pytest.mark.parametrize("reached, result", [(0.8, "pass"), (0.1, "fail")])
def test_the_record_that_validate_leaves_is_held_against_the_limits(
    reached, result, suite, ask, tmp_path, monkeypatch, capsys
):
    """validate.sh as it stands, in a checkout whose tests and measurement are played: the twin has no GPU."""
    checkout, folder = tmp_path / "checkout", suite("kestrel")
    for name in ("scripts", "snippets/measured", "tests", "packages"):
        (checkout / name).mkdir(parents=True)
    for name in ("conftest.py", "pytest.ini"):
        (checkout / name).touch()
    (checkout / "packages/pytest.py").write_text("print('the tests are played')\n", encoding="utf-8")
    (checkout / "scripts/measure.py").write_text(f"print({said(monkeypatch, capsys)!r})\n", encoding="utf-8")
    case = {"program": "matmul.py", "label": "product", "size": "8192", "fraction": reached}
    record = checkout / "snippets/measured/h100-sxm5-80gb.json"
    record.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    written = folder / "cases.json"
    cases = json.loads(written.read_text(encoding="utf-8")) | {"checkout": str(checkout)}
    written.write_text(json.dumps(cases), encoding="utf-8")
    found = ask("kestrel", folder, "--tag=validate", skip_performance=False)["validate"]
    assert found["result"] == result and (result == "pass" or "expected 1 (l=0.25" in found["fail_reason"])
    [value] = found["perfvalues"].values()
    assert value[0] == reached


def said(monkeypatch, capsys) -> str:
    """What `python -m scripts.measure` says when all is recorded."""
    found = measuring.machine.Found("NVIDIA H100 80GB HBM3", 85_000_000_000, "9.0")
    monkeypatch.setattr(measuring.machine, "gpu", lambda: found)
    monkeypatch.setattr(measuring, "measure", lambda *_: (12, []))
    monkeypatch.setattr("sys.argv", ["measure"])
    assert measuring.main() == 0
    return capsys.readouterr().out.strip()
