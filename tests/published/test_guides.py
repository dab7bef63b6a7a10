"""The job scripts of the operators' guides: today's engine judges 99 % of them, and says of each what is on record."""

import re
import subprocess

import pytest

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.models import load_model
from scripts.published.guides import Guide, Script, judged, load_guides, share
from scripts.published.pages import printed, systems
from scripts.published.re_extract import SOURCES, Source, as_yaml, plain, scripts
from scripts.tables.guides import guides

CLUSTERS = load_all()
ALL = [script for guide in load_guides().values() for script in guide.scripts]
OPERATORS = {"CSC", "LUMI", "NLR", "UVA", "Leeds", "Alliance"}


@pytest.fixture(scope="module")
def today():
    return judged(CLUSTERS, ALL)


def test_99_of_100_are_judged(today):
    verdicts = [{today[script.sha256, key]["verdict"] for key in script.verdicts} for script in ALL]
    passed_over = sum("accepted" not in each and "not judged" in each for each in verdicts)
    assert 1 - passed_over / len(ALL) >= 0.99


def test_the_verdicts_on_record_are_todays(today):
    changed = [
        f"{script.path} {script.lines}: {key} says {answer['verdict']}, no longer {script.verdicts[key]}"
        for script in ALL
        for key in script.verdicts
        if (answer := today[script.sha256, key])["verdict"] != script.verdicts[key]
    ]
    assert changed == [], "python -m scripts.published.re_extract FOLDER"


def test_a_refused_one_is_refused_by_a_finding(today):
    for script in ALL:
        for key, verdict in script.verdicts.items():
            kinds = {finding["kind"] for finding in today[script.sha256, key]["findings"]}
            assert ("refused" in kinds) == (verdict == "refused"), (script.path, key)
    assert not any("not looked at" in (script.because or "") for script in ALL)


def test_there_are_enough_and_none_counts_twice():
    assert len(ALL) >= 800 and len({script.sha256 for script in ALL}) == len(ALL)
    assert set(share()) == OPERATORS == {source.operator for source in SOURCES}
    assert {guide.repository for guide in load_guides().values()} == {source.repository for source in SOURCES}
    assert {key for script in ALL for key in script.verdicts} == set(CLUSTERS)


def test_nobodys_address_is_kept():
    told = [word for script in ALL for word in script.options]
    assert {found for word in told for found in re.findall(r"[\w.+-]+@[\w-]+\.\w+", word)} <= {"someone@example.org"}


def test_the_table_counts_every_script():
    rows = [line.split("|") for line in guides().splitlines() if re.match(r"\| (?!Operator|---)", line)]
    assert sum(int(row[3]) for row in rows) == len(ALL)
    assert sum(int(row[4]) for row in rows) == sum(script.verdict == "accepted" for script in ALL)


PAGE = """# Running jobs

=== "Puhti"

    ```bash title="one.sh"
    #!/bin/bash
    #SBATCH --account=<project>
    # Mahti has no such disk
    srun ./mine
    ```

=== "Roihu-CPU"

    ```
    #!/bin/bash
    #SBATCH --account=
    ```

## On Mahti

> #!/bin/bash -l
> #SBATCH --time=<time> --nodes=<nodes> # note
> ```
```
echo none
```
"""
WIKI = """On [[Fir]] or Nibi:
==== Whole nodes ====
<tab name="Narval">
{{File
  |name=nibi.sh
  |contents=
#!/bin/bash
#SBATCH --mem=0
}}</tab>
{{File|contents=
#!/bin/sh
#SBATCH -t 1
#!/bin/bash
}}
"""
NAMES = {key: [key] for key in ("roihu", "mahti", "puhti", "fir", "nibi", "narval")}


def found(page, path):
    return [(each.lines, systems(each, path, page, NAMES)) for each in printed(page, path)]


def test_a_page_says_which_system_a_script_is_for():
    assert found(PAGE, "docs/a.md") == [((6, 9), ["mahti"]), ((15, 16), ["roihu"]), ((21, 22), ["mahti"])]
    assert found(WIKI, "a.txt") == [((7, 8), ["nibi"]), ((11, 12), ["narval"]), ((13, 13), ["narval"])]
    assert found("echo\n```\n#!/bin/bash\n```", "on_puhti.md") == [((3, 3), ["puhti"])]
    assert found("#!/bin/bash\n", "a.slurm") == [(None, [])] and found("hello", "a.slurm") == []


def test_a_printed_script_loses_its_indent():
    texts = [each.text for each in printed(PAGE, "a.md")]
    assert texts[1] == "#!/bin/bash\n#SBATCH --account=\n"
    assert texts[2].startswith("#!/bin/bash -l\n#SBATCH --time=")


@pytest.mark.parametrize(
    "written, meant",
    [
        ("--account=<my project>", "--account=name"),
        ("--account=", "--account=name"),
        ("--account=[my handle]", "--account=name"),
        ("-t <time>", "-t 1:00:00"),
        ("--ntasks-per-node=<n> -N <n>", "--ntasks-per-node=1 -N 1"),
        ("--mem=<size>", "--mem=1G"),
        ("--mail-user=<me>@nrel.gov", "--mail-user=someone@example.org"),
        ("-q <queue>", "-q normal"),
        ("--dependency=afterok:<id>", "--dependency=afterok:1"),
        ("--gres=gpu:a100:<n>", "--gres=gpu:a100:1"),
        ("--constraint=[skylake|cascade]", "--constraint=[skylake|cascade]"),
    ],
)
def test_a_placeholder_becomes_a_plain_value(written, meant):
    assert plain(written) == meant


def test_a_guide_is_drawn_from_a_clone(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "docs/b.md").write_text(PAGE.replace("On Mahti", "On Puhti"), encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", tmp_path]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "One"]):
        subprocess.run([*git, *words], check=True)
    source = Source("CSC", "some/one", r"\.md$", ("roihu", "mahti", "puhti"), ("roihu",))
    drawn = list(scripts(source, tmp_path, "slurm", set()))
    assert [(each["path"], each["lines"], each["options"], list(each["verdicts"])) for each in drawn] == [
        ("docs/a.md", (6, 9), ["--account=name"], ["mahti"]),
        ("docs/a.md", (15, 16), ["--account=name"], ["roihu"]),
        ("docs/a.md", (21, 22), ["--time=1:00:00 --nodes=1 # note"], ["mahti"]),
    ]
    head = {"operator": "CSC", "repository": "some/one", "commit": "0" * 40, "dated": "2026-01-02"}
    file = tmp_path / "one.yml"
    file.write_text(as_yaml(head, drawn), encoding="utf-8")
    guide = load_model(file, Guide, "")[0]
    assert [script.text(CLUSTERS["roihu"]).count("--account=") for script in guide.scripts] == [1, 1, 1]
    with pytest.raises(BadInput, match="No such file|cannot change"):
        list(scripts(source, tmp_path / "none", "slurm", set()))


@pytest.mark.parametrize("verdicts, why", [({"roihu": "refused"}, None), ({"roihu": "refused", "lumi": "accepted"}, 1)])
def test_a_refusal_has_its_reason_and_nothing_else_has(verdicts, why):
    given = {"path": "a", "sha256": "0" * 64, "options": ["-N 1"], "verdicts": verdicts}
    reason = {"why": "part", "because": "it is"} if why else {}
    with pytest.raises(ValueError, match="because"):
        Script.model_validate(given | reason)
