"""The evidence: written by the tests, shown under each snippet, and silent about what it cannot show."""

import re
import sys
from dataclasses import replace

import markdown
import pytest

from scripts.errors import BadInput
from scripts.evidence import records as evidence
from scripts.evidence.counted import counted
from scripts.evidence.dependencies import RUNS, changed, judges, rests_on
from scripts.evidence.records import Record
from scripts.families import FAMILIES
from tests.in_process import call
from tests.needs import need
from tests.run import run
from tests.snippets.sandbox import ROOT
from tests.twin.kept import need_scheduler

SCRIPT = "snippets/puhti/one_gpu.sh"
DAY = "2026-11-21"
PAGE = f'- Puhti\n\n    ```bash\n    --8<-- "{SCRIPT}"\n    ```\n\nAfter.\n'


def rendered(monkeypatch, records: dict[str, Record], page: str = PAGE) -> str:
    monkeypatch.setattr(evidence, "read", lambda: records)
    monkeypatch.chdir(ROOT)
    return markdown.markdown(
        page,
        extensions=["attr_list", "pymdownx.superfences", "pymdownx.snippets", "scripts.evidence.line"],
        extension_configs={"pymdownx.snippets": {"base_path": [str(ROOT)], "check_paths": True}},
    )


def record(how="parsed", detail="by bash", **others: str) -> Record:
    """Of today's script; `others` replace what it rests on."""
    return Record(how, detail, DAY, rests_on(ROOT / SCRIPT, judges()) | others)


def test_the_line_says_how_and_when_below_the_script(monkeypatch):
    html = rendered(monkeypatch, {SCRIPT: record()})
    assert "Syntax checked</a> by bash, on November 21, 2026." in html and "#parsed" in html
    assert 'class="evidence none"' in html and html.index("#SBATCH") < html.index("checked</a>") < html.index("After.")
    assert "changed" not in html


@pytest.mark.parametrize(
    "others, said",
    [
        ({SCRIPT: ""}, "this file last changed"),
        ({"snippets/programs/matmul.py": ""}, "<code>matmul.py</code> last changed"),
        ({"snippets/programs/matmul.py": "", SCRIPT: ""}, "<code>matmul.py</code> and this file last changed"),
        ({"twin": ""}, "the facts about this cluster last changed"),
        ({RUNS: "matmul.py --size 2"}, "the size of the test last changed"),
        ({"names": "project_2001234 pytorch/2.8", "twin": ""}, "the facts about this cluster last changed"),
    ],
)
def test_what_has_changed_takes_the_claim_away(monkeypatch, others, said):
    html = rendered(monkeypatch, {SCRIPT: record(**others)})
    assert f"</a> since {said}. <a" in html and "#not-checked" in html and "Download" in html
    assert "Syntax checked" not in html and "November 21" not in html and ">Not checked</a> since" in html
    assert ">Not run</a> since" in rendered(monkeypatch, {SCRIPT: record("ran", **others)})


def test_a_reason_stands_in_for_a_date_and_each_kind_leads_to_its_heading(monkeypatch):
    for how in evidence.KINDS:
        assert f'how-checked.md#{how.replace(" ", "-")}"' in rendered(monkeypatch, {SCRIPT: record(how)})
    assert "Not checked</a>: no such machine." in rendered(
        monkeypatch, {SCRIPT: record("not checked", "no such machine")}
    )


def test_without_a_record_a_program_says_what_it_needs_and_claims_nothing(monkeypatch):
    html = rendered(monkeypatch, {}, '```python\n--8<-- "snippets/programs/count_threads.py"\n```\n')
    assert (
        "Download" in html and "Ran" not in html and "Needs <a" in html and ">numpy, threadpoolctl, torch</a>" in html
    )


def test_a_table_has_no_line(monkeypatch, made):
    assert "evidence" not in rendered(monkeypatch, {}, '--8<-- "build/made/tables/systems.md"\n')


@pytest.mark.parametrize("others, said", [({}, "Accepted"), ({"twin": ""}, "facts about this cluster last changed")])
def test_an_applications_generated_script_has_its_line(monkeypatch, made, others, said):
    path = "build/made/applications/cp2k-lumi.sh"
    found = Record("judged", "by Slurm", DAY, rests_on(ROOT / path, judges()) | others)
    html = rendered(monkeypatch, {path: found}, '--8<-- "build/made/tables/applications/cp2k.md"\n')
    assert said in html and "(/made/applications/cp2k-lumi.sh)" in html and html.count("November 21") == (not others)


def test_the_command_tells_each_record_that_no_longer_counts(monkeypatch):
    whole = record()
    for found, said in (
        ({SCRIPT: whole}, ""),
        ({SCRIPT: record(twin="")}, f"{SCRIPT}: no longer counts, because these have changed: twin. Run"),
        ({"snippets/gone.sh": whole}, "snippets/gone.sh: this file no longer exists. Run"),
    ):
        monkeypatch.setattr(evidence, "read", lambda found=found: found)
        done = call("scripts.evidence", cwd=ROOT)
        assert done.returncode == bool(said) and said in done.stdout
        assert f"{len(found):4} Syntax checked\n" in done.stdout


def test_only_checks_that_still_count_are_counted(monkeypatch):
    """Of each kind of file one record of each kind, and all again after a change, and of files that are gone."""
    files = [*sorted((ROOT / "snippets").glob("*/one_gpu.sh")), *sorted((ROOT / "snippets/programs").glob("[a-f]*.py"))]
    scripts, programs = (
        [str(file.relative_to(ROOT)) for file in files if file.suffix == end] for end in (".sh", ".py")
    )
    kinds = [*zip(scripts, evidence.KINDS, strict=False), *zip(programs, evidence.KINDS, strict=False)]
    whole = {path: Record(how, "", DAY, rests_on(ROOT / path, judges())) for path, how in kinds}
    assert len(whole) == 2 * len(evidence.KINDS)
    for records, numbers in (
        (whole, [1, 3]),
        ({path: replace(each, rests_on={}) for path, each in whole.items()}, [0, 0]),
    ):
        records = records | {"snippets/gone.sh": whole[scripts[3]], "snippets/gone.py": whole[programs[0]]}
        monkeypatch.setattr(evidence, "read", lambda records=records: records)
        assert [number for number, _ in counted()[:2]] == numbers


def test_the_same_check_keeps_its_date(tmp_path):
    path = tmp_path / "evidence.json"
    first = record()
    evidence.merge({SCRIPT: first}, path)
    evidence.merge({SCRIPT: replace(first, date="2030-01-01")}, path)
    assert evidence.read(path)[SCRIPT].date == "2026-11-21"
    evidence.merge({SCRIPT: replace(first, date="2030-01-01", rests_on={})}, path)
    assert evidence.read(path)[SCRIPT].date == "2030-01-01"


def test_a_weaker_check_of_the_same_file_takes_nothing_away(tmp_path):
    path = tmp_path / "evidence.json"
    strong = record("judged", "by Slurm 22.05.8 as Puhti; ran to its end there")
    evidence.merge({SCRIPT: strong}, path)
    evidence.merge({SCRIPT: record("parsed", "by bash")}, path)
    assert evidence.read(path)[SCRIPT] == strong
    newer = record("judged", "by Slurm 24.11.5 as Puhti; ran to its end there")
    evidence.merge({SCRIPT: newer}, path)
    assert evidence.read(path)[SCRIPT] == newer, "a check of the same kind says something else"
    evidence.merge({SCRIPT: record("parsed", "by bash", twin="")}, path)
    assert evidence.read(path)[SCRIPT].how == "parsed", "once it has changed the old check says nothing"


def test_what_says_more_weighs_more_and_is_trusted_more():
    said = [(evidence.THERE, ""), ("judged", "; ran to its end there"), ("judged", ""), ("not checked", "site's own")]
    weights = [Record(how, detail, DAY, {}).weight for how, detail in (*said, ("parsed", ""))]
    assert weights == sorted(set(weights), reverse=True)
    full, half = {"ran", "gpu", "measured", evidence.THERE}, {"judged", "simulated"}
    trust = {how: "full" if how in full else "half" if how in half else "none" for how in evidence.KINDS}
    assert {how: Record(how, "", DAY, {}).trust for how in evidence.KINDS} == trust
    words = {"": "Accepted", ", its options": "Options accepted", "; ran to its end there": "Accepted and run"}
    assert {detail: Record("judged", f"by Slurm{detail}", DAY, {}).word for detail in words} == words


def test_a_record_of_a_deleted_file_goes(tmp_path):
    path = tmp_path / "evidence.json"
    evidence.merge({SCRIPT: record(), "snippets/gone.sh": record()}, path)
    assert list(evidence.read(path)) == [SCRIPT]
    (tmp_path / "evidence.json").write_bytes(b"{\n\xff")
    with pytest.raises(BadInput, match="evidence.json:2: this is not UTF-8 text"):
        evidence.read(tmp_path / "evidence.json")


def test_every_kind_has_its_heading_on_the_legend_page():
    legend = (ROOT / "docs/about/how-checked.md").read_text(encoding="utf-8")
    headings = re.findall(r"(?m)^### (.+?)(?: { (?:#([\w-]+))?.*})?$", legend)
    anchors = {anchor or title.lower().replace(" ", "-") for title, anchor in headings}
    assert {how.replace(" ", "-") for how in evidence.KINDS} <= anchors


@pytest.mark.nightly
def test_pytest_writes_it(tmp_path):
    """An output is recorded, with versions, by the run that compared it; looking at the file alone is no evidence."""
    need("shellcheck", "shellcheck")
    need_scheduler("slurm")
    program, output, alone = (f"snippets/programs/{name}" for name in ("matmul.py", "matmul.out", "layer.out"))
    target = tmp_path / "evidence.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", SCRIPT, program, output, alone]
    target.write_text("<<<<<<< HEAD\n", encoding="utf-8")
    done = run(*command, "--evidence", target)
    assert done.returncode and "this is not evidence" in done.stderr and not done.stdout, "it ran for nothing"
    target.unlink()
    run(*command, "--evidence", target, status=0)
    records = evidence.read(target)
    assert records.keys() == {SCRIPT, program, output} and records[SCRIPT].how == "judged"
    assert all(re.search(r"; torch 2\.[\d.]+$", records[name].detail) for name in (program, output))
    assert records[output].rests_on.keys() == {output, program, RUNS}


def test_the_committed_evidence_still_counts():
    """Each snippet has a record, and nothing that it rests on has changed. If not: `make evidence`."""
    shown = {
        str(p.relative_to(ROOT))
        for p in (ROOT / "snippets").rglob("*")
        if (p.suffix in (".sh", ".out") or p.match("programs/*.py")) and not p.is_relative_to(FAMILIES)
    }
    records, known = evidence.read(), judges()
    old = sorted(
        name for name in shown if name not in records or changed(records[name].rests_on, rests_on(ROOT / name, known))
    )
    assert old == [], "run `make evidence`"


@pytest.mark.parametrize(
    "detail, said",
    [
        (
            "by Slurm 22.05 as LUMI; ran to its end there, small, with stand-ins for singularity, the GPU, virtualenv",
            " by Slurm 22.05 on our machines, configured like LUMI, with small test data and stand-ins for "
            "Singularity, virtualenv and the GPU",
        ),
        ("compared with a real run, numbers aside; numpy 2.4.6", " and printed this output (numpy 2.4.6)"),
    ],
)
def test_what_was_checked_reads_as_a_sentence(detail, said):
    assert Record("judged", detail, DAY, {}).more == said
