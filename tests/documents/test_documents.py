"""Job scripts in documents: found on their line, judged as `guide check` judges them, edited in place."""

import json
import os
import re
import subprocess
import textwrap
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
import yaml

from scripts.check import findings
from scripts.check.findings import check
from scripts.documents.judge import Judged, read_and_judge
from scripts.documents.script import Script
from scripts.documents.systems import decide
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.paths import ROOT, SNIPPETS, write_whole
from tests.clusters import CLUSTERS
from tests.in_process import call
from tests.tiers import by_day

ROIHU = "#!/bin/bash\n#SBATCH --account=project_2009999\n#SBATCH --partition=small\n#SBATCH --time=1:00:00\nsrun true\n"


# name of the document: what stands around a script of NAME, and what before each of its lines
WRAPPED = {
    "fence.md": ("# NAME\n\nText.\n\n```bash\n", "", "```\n\nMore.\n"),
    "heading.md": ("NAME\n====\n\n## Jobs\n\n~~~~ sh\n", "", "~~~~\n\n```console\nsbatch job.sh\n```\n"),
    "tab.md": ('# Jobs\n\n=== "NAME"\n\n    ```bash title="job.sh"\n', "    ", "    ```\n\nMore.\n"),
    "list.md": ("# NAME\n\n1. Write:\n\n   ```bash\n", "   ", "   ```\n\n2. Submit.\n"),
    "quote.md": ("# NAME\n\n> ```bash\n", "> ", "> ```\n"),
    "myst.md": ("# Jobs\n\n````{tab-set}\n```{tab-item} NAME\n~~~bash\n", "", "~~~\n```\n````\n"),
    "heredoc.md": ("# NAME\n\n```console\ncat > job.sh <<'EOF'\n", "", "EOF\nsbatch job.sh\n```\n"),
    "pre.html": ("<h1>Jobs on NAME</h1>\n<pre>\n", "", "</pre>\n"),
    "block.rst": ("NAME\n----\n\n.. code-block:: bash\n   :linenos:\n\n", "   ", "\nMore.\n"),
    "literal.rst": ("NAME\n####\n\nJobs\n====\n\nWrite this::\n\n", "    ", "\nSubmit it.\n"),
    "tabs.rst": (".. tabs::\n\n   .. group-tab:: NAME\n\n      .. code-block:: bash\n\n", " " * 9, "\nMore.\n"),
    "wiki.txt": ("== NAME ==\n{{File\n  |name=job.sh\n  |contents=\n", "", "}}\nMore.\n"),
    "skills/jobs/SKILL.md": ("---\nname: jobs\n---\n\n# Jobs on NAME\n\n```\n", "", "```\n"),
    "NAME/job.slurm": ("", "", ""),
    "NAME/template.sh.j2": ("", "", ""),
}


def document(kind: str, name: str, script: str) -> tuple[str, str, int]:
    """(path, text, the line on which the script begins)."""
    above, before, below = WRAPPED[kind]
    above = above.replace("NAME", name)
    text = above + textwrap.indent(script, before, lambda line: True) + below
    return kind.replace("NAME", name.split("/")[0].lower()), text, above.count("\n") + 1


@pytest.fixture
def alone(monkeypatch):
    """The engine alone: whether there is a scheduler changes nothing here, and asking it takes time."""

    def none(*_):
        raise BadInput("scheduler", None, "is not asked.", "")

    monkeypatch.setattr(findings, "answer_of", none)


def judged(folder: Path, *systems: str) -> list[Judged]:
    found, unread, _ = read_and_judge([str(folder)], systems)
    assert unread == []
    return found


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        write_whole(path, text.encode("utf-8", "surrogateescape"))
    return folder


def spoilt(script: str) -> tuple[str, int]:
    lines = script.split("\n")
    at = next(n for n, line in enumerate(lines) if re.match(r"#SBATCH --time|#\$ -l h_rt", line))
    lines[at] = lines[at].replace("--time", "--tiem").replace("h_rt", "h_tr")
    return "\n".join(lines), at


ALL = ("arc4", "roihu")  # every other system has some kinds of document, which differ; by night


@pytest.mark.parametrize("key", by_day(CLUSTERS, ALL))
def test_each_script_is_found_at_its_line_with_the_verdict_on_the_bare_text(alone, tmp_path, key):
    """In every kind of document; sound, and with a planted fault that is told on its line."""
    cluster = CLUSTERS[key]
    sound = (SNIPPETS / key / "many_cpus.sh").read_text("utf-8")
    wrong, at = spoilt(sound)
    bare = {text: check(cluster, [("job.sh", text.encode())])[0] for text in (sound, wrong)}
    kinds = list(WRAPPED) if key in ALL else list(WRAPPED)[list(CLUSTERS).index(key) % 6 :: 6]
    starts = {}
    for folder, text in (("sound", sound), ("wrong", wrong)):
        for kind in kinds:
            path, whole, line = document(kind, cluster.name, text)
            write(tmp_path / folder, {path: whole})
            starts[str(tmp_path / folder / path)] = line
    found = judged(tmp_path)
    assert {each.script.file: each.script.at[0] for each in found} == starts and len(found) == 2 * len(kinds)
    assert {each.system.key for each in found if each.system} == {key}
    for each in found:
        start, plain = each.script.at[0], sound if "/sound/" in each.script.file else wrong
        told = {(report.line - start + 1, report.kind, report.rule) for report in each.reports}
        expected = {(r.line, r.kind, r.rule) for r in bare[plain] if r.rule != "by-engine" and "account-" not in r.rule}
        assert told == expected, (each.script.file, each.told)
        severe = {report.line - start for report in each.reports if report.level == "error"}
        assert at in severe if plain == wrong else not severe


PLACEHOLDERS = [
    "--account=<your project>",
    "--account=",
    "--partition=<partition>",
    "--partition={{ partition }}",
    "--time=<hh:mm:ss>",
    "--nodes={nodes}",
    "--cpus-per-task=<number of cores>",
    "--gres=gpu:<type>:1 --partition=gpumedium",
    "--gres=gpu:gh200:<1-4> --partition=gpumedium",
    "--qos=<qos>",
    "...",
]


@pytest.mark.parametrize("words", PLACEHOLDERS)
def test_a_placeholder_is_not_accused_and_a_fault_beside_it_is(alone, tmp_path, words):
    head = "#!/bin/bash\n" + "".join(
        f"#SBATCH {other}\n"
        for other in ("--account=project_2009999", "--partition=small", "--time=10")
        if other.split("=")[0] not in words
    )
    body = "cd /scratch/<project>\nsrun ./<program> <input file>\n"
    fence = f"# Roihu\n\n```bash\n{head}#SBATCH {words}\nMORE{body}```\n"
    write(tmp_path, {"a.md": fence.replace("MORE", ""), "b.md": fence.replace("MORE", "#SBATCH --tiem=5\n")})
    sound, wrong = judged(tmp_path)
    assert [str(report) for report in sound.reports if report.level != "note"] == []
    assert [(report.line, report.rule) for report in wrong.reports if report.level == "error"] == [
        (4 + head.count("\n") + 1, "unknown-option")
    ]


def test_a_variable_is_a_placeholder_in_a_template_alone(alone, tmp_path):
    text = ROIHU.replace("1:00:00", "${TIME}")
    write(tmp_path, {"roihu.sh": text, "roihu.sh.in": text, "roihu.md": f"```\n{text}```\n"})
    accused = [Path(each.script.file).name for each in judged(tmp_path) if each.reports]
    assert accused == ["roihu.md", "roihu.sh"]


GPU = ROIHU.replace("small", "gpumedium").replace("srun", "#SBATCH --gres=gpu:gh200:1\nsrun")
NOWHERE = "#!/bin/bash\n#SBATCH --time=10 --partition=batch\nsrun true\n"


@pytest.mark.parametrize(
    "path, above, script, systems, expected",
    [
        ("a.md", "# Roihu\n", ROIHU, (), "roihu"),
        ("roihu/a.md", "", ROIHU, (), "roihu"),
        ("a.md", "", GPU, (), "roihu"),  # its GPU and partition
        ("a.md", "", NOWHERE, (), None),
        ("a.md", "# Frontera\n", NOWHERE, (), None),
        ("a.md", "# Puhti\n", GPU, (), None),  # what is above it and what it asks for contradict each other
        ("a.md", "# Puhti\n", GPU, ("puhti",), "puhti"),
        ("a.md", "# Puhti\n", GPU, ("roihu", "puhti"), "puhti"),
        ("a.md", "", NOWHERE, ("lumi", "puhti"), "lumi"),
        ("a.md", "# Mahti and Roihu\n", GPU, ("mahti", "roihu"), "roihu"),  # right if one takes it
        ("a.md", "# Puhti\n# Roihu\n", ROIHU, (), "roihu"),
        ("a.md", "# Puhti\n## Jobs\n", ROIHU, ("roihu", "puhti"), "puhti"),
        ("a.md", '# Jobs\n=== "Puhti"\n    text\nOn all:\n', ROIHU, ("roihu", "puhti"), "puhti"),  # the page has it
        ("a.md", "# Roihu\n", ROIHU, ("arc4",), None),  # another scheduler
        ("uva/a.md", "", NOWHERE, ("lumi", "rivanna"), "rivanna"),  # its center
        ("a.md", "# Jobs at NREL\n", NOWHERE, ("lumi", "swift"), "swift"),
        ("a.md", "# Jobs at NREL\n", NOWHERE, (), None),
    ],
)
def test_the_system_is_decided_or_not_at_all(alone, tmp_path, path, above, script, systems, expected):
    (found,) = judged(write(tmp_path, {path: f"{above}\n```bash\n{script}```\n"}), *systems)
    assert (found.system and found.system.key) == expected
    if not expected:
        (report,) = found.reports
        assert (report.rule, report.kind) == ("no-system", "not judged")


def test_the_first_system_is_said_to_be_a_guess(alone, tmp_path):
    """Of a script without a hint, where there are several; and what an unconfirmed fact decides has one name."""
    unsure = ROIHU.replace("small", "gpumedium\n#SBATCH --gpus=1")
    write(
        tmp_path, {"a.md": f"```\n{ROIHU}```\n", "b.md": f"# Mahti\n```\n{ROIHU}```\n", "c.md": f"```\n{unsure}```\n"}
    )
    several, one = (
        guide_docs(tmp_path, ".", "--list", *systems).stdout.splitlines()
        for systems in (("--system=roihu", "--system=mahti"), ("--system=roihu",))
    )
    assert several[0] == "a.md:2: Roihu (its document names none, so the first --system): accepted"
    bare = Script("a.md", ROIHU, (1,), ("",), "")
    (guessed,) = decide([bare], load_all(), ["roihu", "mahti"])
    assert guessed.systems == ("roihu",), "another system's verdict is not taken"
    assert "(named in the document)" in several[1] and several[2].endswith(": doubtful")
    assert "(2 for Roihu, 1 for Mahti; 2 for the first --system, because their documents name none)" in several[-1]
    assert one[0] == "a.md:2: Roihu (--system roihu): accepted" and "first" not in one[-1]


NEXTFLOW = """// A profile for Roihu
process {{
    executor = 'slurm'
    queue = '{partition}'
    time = {{ 4.h * task.attempt }}
    withLabel: long {{
        queue = 'small'
        time = '{time}'
    }}
}}
"""
SNAKEMAKE = """executor: slurm
default-resources:
  slurm_partition: "small"
  runtime: 60
set-resources:
  train:
    slurm_partition: {partition}
    runtime: {time}
    mem_mb: attempt * 1000
"""
OVER, UNDER = "time-over-partition", "time-under-partition"
TABLE = "# Roihu\n\n| Partition | Max walltime | Nodes |\n| - | - | - |\n| `{partition}` | {time} | 1–{nodes} |\n"


@pytest.mark.parametrize(
    "path, text, expected",
    [
        ("p.config", NEXTFLOW.format(partition="medium", time="36.h"), []),
        ("p.config", NEXTFLOW.format(partition="fast", time="99.d"), [(8, OVER), (4, "unknown-partition")]),
        ("p.config", NEXTFLOW.format(partition="longrun", time="9.d").replace("queue = 'small'", ""), []),
        ("p.config", NEXTFLOW.format(partition="x", time="9.d").replace("'x'", "{ any(it) }"), [(8, OVER)]),
        ("roihu/config.yaml", SNAKEMAKE.format(partition="medium", time="120"), []),
        ("roihu/config.yaml", SNAKEMAKE.format(partition="medium", time="99d"), [(8, OVER)]),
        ("roihu/config.yaml", SNAKEMAKE.format(partition="[", time="{"), []),
        ("t.md", TABLE.format(partition="medium", time="36 h", nodes=1), []),
        ("t.md", TABLE.format(partition="gputest", time="1 hour", nodes=1), [(5, OVER)]),
        ("t.md", TABLE.format(partition="small", time="3 days", nodes=99), [(5, "nodes-over-partition")]),
        ("t.md", TABLE.format(partition="medium", time="10 h", nodes=1), [(5, UNDER)]),
        ("t.md", TABLE.format(partition="gone", time="10 min", nodes=1), [(5, "unknown-partition")]),
    ],
)
def test_profiles_and_tables_are_read_as_far_as_they_are_plain(alone, tmp_path, path, text, expected):
    """What they leave to others, such as a GPU, is no fault of theirs."""
    found = judged(write(tmp_path, {path: text}))
    assert [(report.line, report.rule) for each in found for report in each.reports] == expected


# What a page says of partitions, and what is said of that. The first two are as in assistants of two centers.
SAID = [
    ("Kestrel", "- The `debug` partition's wall-clock cap is **1 hour**. Reject more.", UNDER),
    ("Rivanna", "Which partition to submit to (`gpu`, `parallel`, `standard`, `largemem`)", "unknown-partition"),
    ("Rivanna", "Override the partition (standard | gpu | parallel | largemem).", "unknown-partition"),
    ("Roihu", "Jobs in the `medium` partition can run for at most 9 days.", OVER),
    ("Roihu", "Test in the partition `gpusmall` with one GPU.", "unknown-partition"),  # Mahti's
    ("Roihu", "Submit it with `sbatch --partition=gpusmall job.sh`.", "unknown-partition"),
    ("Roihu", "Jobs in the `medium` partition can run for at most 36 hours.", None),
    ("Roihu", "Jobs in the `medium` partition run for 2 hours by default.", None),
    ("Roihu", "The `gputest` partition has a time limit of 15 minutes, and `small` 3 days.", None),
    ("Roihu", "Members of the institute may use the `ours` partition for at most 9 days.", None),  # of some users
    ("Roihu", "The queue decides over `time`, `memory`, and `nodes`.", None),
    ("Roihu", "Nodes of the partition `small`, `medium`, or `large` have no GPU.", None),
    ("Rivanna", "Choose the `GPU` partition in the form.", None),
    ("Roihu and Mahti", "The `test` partition has a time limit of 15 minutes.", None),  # Roihu's
    ("Roihu and Mahti", "On Mahti, use the `gpusmall` partition.", None),
    ("Roihu", "Use `gpumedium` on Roihu, or the\n`gpusmall` partition on Puhti or\non Mahti.", None),
    ("Kestrel", "```\nThe `debug` partition's wall-clock cap is 1 hour.\n```", None),
    ("Sheffield", "The `debug` partition's wall-clock cap is 1 hour.", None),
]


@pytest.mark.parametrize("name, text, rule", SAID)
def test_what_prose_says_of_partitions_is_a_warning_or_a_doubt(alone, tmp_path, name, text, rule):
    found = judged(write(tmp_path, {"a.md": f"# Jobs on {name}\n\n{text}\n", "news/b.md": f"# {name}\n\n{text}\n"}))
    told = [report for each in found for report in each.reports]
    assert [(report.rule, report.line) for report in told] == ([(rule, 3)] if rule else [])
    assert all(report.level != "error" and re.search(r", checked 20\d\d-", report.source) for report in told)


def test_a_menu_of_partitions_and_gpus_is_judged_filling_by_filling():
    """That of a server for UVA's assistants, where any partition goes with any number of GPUs and nodes."""
    axes = (
        [f"--partition={name}" for name in ("standard", "gpu", "parallel", "largemem")],
        ["", "--gres=gpu:1", "--gres=gpu:2"],
        ["--nodes=1", "--nodes=2"],
        ["--time=01:00:00", "--time=08:00:00"],
        ["--mem=16GB", "--mem=32GB"],
        ["--cpus-per-task=4", "--cpus-per-task=8"],
    )
    head = "#!/bin/bash\n#SBATCH --account=hpc_build "
    jobs = [["rivanna", f"{head}{' '.join(filler)}\nsrun python train.py\n", "job.sh"] for filler in product(*axes)]
    answers = ask("found", [CLUSTERS["rivanna"]], jobs)
    refused = Counter(
        re.search(r"partition=(\w+)", text)[1]
        for (_, text, _), answer in zip(jobs, answers, strict=True)
        if answer["verdict"] == "refused"
    )
    assert len(jobs) == 192 and refused == {"standard": 40, "gpu": 16, "parallel": 40, "largemem": 48}


WRONG_TIME = ROIHU.replace("--time=1:00:00", "--time=99-00:00:00")


def guide_docs(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return call("scripts.documents", *words, cwd=folder)


def test_a_fix_edits_its_line_alone_and_once(alone, tmp_path):
    """In every kind of document, with the ends of lines that it has; the rest keeps every byte."""
    files, wanted = {}, {}
    for number, kind in enumerate(WRAPPED):
        path, text, _ = document(kind, "Roihu", WRONG_TIME)
        files[path] = text.replace("\n", "\r\n") if number % 2 and kind.endswith((".md", ".rst")) else text
        wanted[path] = files[path].replace("99-00:00:00", "3-00:00:00")
    write(tmp_path, files)
    (tmp_path / "Roihu").mkdir(exist_ok=True)
    job = tmp_path / "roihu/job.slurm"
    job.chmod(0o754)
    done = guide_docs(tmp_path, ".", "--fix")
    assert done.returncode == 0 and done.stderr.count(": edited.") == len(WRAPPED), done.stdout
    assert {path: (tmp_path / path).read_bytes().decode() for path in files} == wanted
    assert job.stat().st_mode & 0o777 == 0o754
    again = guide_docs(tmp_path, ".", "--fix")
    assert (again.returncode, again.stderr) == (0, "") and "no findings" in again.stdout
    assert {path: (tmp_path / path).read_bytes().decode() for path in files} == wanted
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == sorted(
        Path(path).name for path in files
    )


def test_a_fix_that_adds_a_line_moves_no_other(alone, tmp_path):
    two = "# Roihu\n\n```bash\nSCRIPT```\n\nMore.\n\n```bash\nSCRIPT```\n"
    write(tmp_path, {"a.md": two.replace("SCRIPT", ROIHU.replace("true", "true &"))})
    assert guide_docs(tmp_path, "a.md", "a.md", ".", "--fix").returncode == 0
    wanted = two.replace("SCRIPT", ROIHU.replace("true", "true &\nwait"))
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == wanted


def test_a_fix_leaves_what_a_reader_fills_in_and_what_has_several_cures(alone, tmp_path):
    text = WRONG_TIME.replace("#SBATCH --account=project_2009999\n", "").replace(
        "--time=99-00:00:00", "--time=99-00:00:00 --job-name=<name>"
    )
    several = ROIHU.replace("small", "gone")
    twice = ROIHU.replace("srun", "#SBATCH --time=2:00:00\nsrun")
    none = ROIHU.replace("#SBATCH --partition=small\n", "")
    of = {"a": text, "b": several, "c": twice, "d": none.replace("project_2009999", "project_465000001")}
    write(tmp_path, {f"{name}.md": f"# {'LUMI' if name == 'd' else 'Roihu'}\n```\n{of[name]}```\n" for name in of})
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = guide_docs(tmp_path, ".", "--fix")
    assert done.returncode == 1 and done.stderr == "" and {path: path.read_bytes() for path in before} == before


def test_a_patch_has_the_finding_with_its_source_and_is_what_fix_does(alone, tmp_path):
    files = {
        "docs/a b.md": f"# Roihu\n```\n{WRONG_TIME}```\n\n```\n{WRONG_TIME}```\n",
        "docs/a-b.md": f"# Roihu\n```\n{WRONG_TIME}# caf\udce9 \f \u2028 without an end of line",
        "sound.md": f"# Roihu\n```\n{ROIHU}```\n",
    }
    write(tmp_path, files)
    done = guide_docs(tmp_path, ".", "--patches", "patches")
    names = ["docs-a-b.md-2.patch", "docs-a-b.md.patch"]
    assert done.returncode == 1 and sorted(os.listdir(tmp_path / "patches")) == names
    patch = (tmp_path / "patches/docs-a-b.md.patch").read_text("utf-8")
    read = {str(source.read) for source in CLUSTERS["roihu"].sources["partitions"]}
    assert patch.count("docs/a b.md:6: error (refused): Roihu: `--time=99-00:00:00` is longer") == 1
    assert set(re.findall(r"  Source: .*, (https://\S+), read ([\d-]+)", patch)) == {
        (source.url, str(source.read)) for source in CLUSTERS["roihu"].sources["partitions"]
    }, read
    assert (tmp_path / "docs/a b.md").read_text("utf-8") == files["docs/a b.md"]
    subprocess.run(["git", "apply", *(f"patches/{name}" for name in names)], cwd=tmp_path, check=True)
    for name, text in files.items():
        assert (tmp_path / name).read_bytes() == text.replace("99-", "3-").encode("utf-8", "surrogateescape")


def test_each_patch_to_offer_is_described_and_can_be_read():
    folder = SNIPPETS / "published/patches"
    text = (folder / "README.md").read_text("utf-8")
    patches = sorted(folder.glob("*.patch"))
    assert {path.stem for path in patches} == set(re.findall(r"`((?:aire|csc|nlr|uva)-[\w-]+)`", text)) and patches
    for path in patches:
        read = subprocess.run(["git", "apply", "--numstat", path], capture_output=True, text=True, check=True).stdout
        assert f"`{read.split()[2]}`" in text


def test_each_form_names_the_documents_line(alone, tmp_path):
    path, text, line = document("tab.md", "Roihu", WRONG_TIME)
    write(tmp_path, {path: text})
    at = line + 3
    (found,) = json.loads(guide_docs(tmp_path, ".", "--json").stdout)
    assert (found["file"], found["line"], found["rule"]) == ("tab.md", at, OVER)
    (result,) = json.loads(guide_docs(tmp_path, ".", "--sarif").stdout)["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == ("tab.md", {"startLine": at})
    assert (
        f"::error file=tab.md,line={at},title=refused%3A {OVER}::Roihu" in guide_docs(tmp_path, ".", "--github").stdout
    )
    text = guide_docs(tmp_path, ".")
    assert text.returncode == 1 and text.stdout.startswith(f"tab.md:{at}: error (refused): Roihu: `--time=99-00:00:00`")
    assert text.stdout.splitlines()[-1] == "1 job script in 1 document (1 for Roihu): 1 refused."
    listed = guide_docs(tmp_path, ".", "--list").stdout.splitlines()[0]
    assert listed == f"tab.md:{line}: Roihu (named in the document): refused"


def test_sarif_has_a_name_that_is_not_utf8(alone, tmp_path):
    (tmp_path / "caf\udce9\x1b.md").write_text(FENCE)
    (result,) = json.loads(guide_docs(tmp_path, ".", "--sarif").stdout)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "caf%E9%1B.md"
    for form in (["--list"], ["--patches", "p"], ["--fix"]):
        done = guide_docs(tmp_path, ".", *form)
        assert "?.md" in done.stdout + done.stderr and "\x1b" not in done.stdout + done.stderr


def test_patches_and_edits_are_not_made_at_once(alone, tmp_path):
    write(tmp_path, {"a.md": FENCE})
    done = guide_docs(tmp_path, "a.md", "--fix", "--patches", "patches")
    assert done.returncode == 2 and (tmp_path / "a.md").read_text() == FENCE


def test_a_line_that_a_finding_names_is_the_documents(alone, tmp_path):
    script = ROIHU.replace("srun", "#SBATCH --time=2:00:00\nsrun")
    (found,) = judged(write(tmp_path, {"roihu.md": f"One.\n\n```\n{script}```\n"}))
    (report,) = found.reports
    assert report.line == 7 and "line 8" in report.what


@pytest.mark.parametrize("head", ["#$ -cwd -V", "#$ -l h_rt=1:00:00", "#$-cwd"])
def test_each_spelling_of_a_directive_makes_a_script(alone, tmp_path, head):
    (found,) = judged(write(tmp_path, {"a.md": f"# ARC4\n```\n#!/bin/bash\n{head}\ntrue\n```\n"}))
    assert (found.script.kind, found.script.at[0]) == ("grid_engine", 3)


def test_a_first_line_that_leans_belongs_to_its_script(alone, tmp_path):
    (found,) = judged(write(tmp_path, {"roihu.txt": f"{{{{File\n {WRONG_TIME}}}}}\n"}))
    assert [report.line for report in found.reports] == [5]


DIGITS = "9" * 5000
FENCE = f"# Roihu\n\n```bash\n{WRONG_TIME}"


@pytest.mark.parametrize(
    "name, data, status, said",
    [
        ("open.md", FENCE.encode(), 1, "open.md:7: error (refused)"),
        ("bom.md", b"\xef\xbb\xbf```\n" + f"{WRONG_TIME}```\n# Roihu\n".encode(), 2, "bom.md:2: note (not judged)"),
        ("latin.md", FENCE.encode() + b"# caf\xe9\n```\n", 1, "latin.md:7: error (refused)"),
        ("binary.md", b"\x7fELF\0\0" * 9, 2, "binary.md: this is not a text file."),
        ("large.md", b"# x\n" * 5 * 2**18, 2, "large.md: this file is over 4 MiB"),
        ("blanks.md", b" " * 3 * 2**20 + b"\n" + FENCE.encode(), 1, "blanks.md:8: error (refused)"),
        ("marks.md", b"> " * 2**19 + b"```" * 2**19 + b"\n" + b"`" * 2**19, 0, "0 job scripts"),
        ("many.md", b"cat <<A\n#!/bin/bash\n" * 2**16, 2, "many.md: this document has more than 500 scripts."),
        ("cells.md", b"| Partition | Time |\n" + b"|" * 2**20 + b"\n| `a` | 1 h |\n", 0, "0 job scripts"),
        ("odd.config", b"process {\n" * 2**16 + b"queue = 'x" + b"\\" * 2**18, 0, "0 job scripts"),
        ("keys.yaml", b"? [slurm]\n: x\nset-resources:\n  ? [a]\n  : {? [b] : c}\n", 0, "0 job scripts"),
        ("blanks.config", b"process {\nqueue = $x" + b" " * 2**18 + b"y\n" + b" " * 2**18 + b"z\n", 0, "0 job scripts"),
        ("digits.md", TABLE.format(partition="small", time=f"{DIGITS} h", nodes=1).encode(), 0, "1 job"),
        (
            "many.txt",
            f"# Roihu\nThe `small` partition has a time limit of {DIGITS} hours.".encode(),
            0,
            "0 job scripts",
        ),
        ("deep.yaml", b"default-resources: slurm" + b"[" * 2**16, 0, "0 job scripts"),
        ("none.md", None, 2, "none.md: there is no such file."),
    ],
)
def test_hostile_input_ends_with_one_sentence(alone, tmp_path, name, data, status, said):
    """The rest is judged all the same."""
    if data is not None:
        (tmp_path / name).write_bytes(data)
    done = guide_docs(tmp_path, name)
    assert done.returncode == status and said in done.stdout + done.stderr
    assert done.stderr.count("\n") == (name in ("binary.md", "large.md", "many.md", "none.md"))


def test_a_folder_stands_for_its_files_and_no_link_leads_out(alone, tmp_path):
    folder = write(
        tmp_path / "docs", {"a.md": f"{FENCE}```\n", "node_modules/b.md": FENCE, "c.py": FENCE, "setup.sh": "make\n"}
    )
    (folder / "loop").symlink_to(folder)
    (folder / "self.md").symlink_to(folder / "self.md")
    (folder / "again.md").symlink_to(folder / "a.md")
    os.mkfifo(folder / "pipe.md")
    assert [each.script.file for each in judged(folder)] == [str(folder / "a.md")]


def test_a_folder_that_cannot_be_read_is_told(alone, tmp_path, monkeypatch):
    scandir, closed = os.scandir, write(tmp_path, {"closed/a.md": FENCE, "a.sh": ROIHU}) / "closed"
    monkeypatch.setattr(os, "scandir", lambda path: os.readlink(path) if str(path) == str(closed) else scandir(path))
    for words in (["scripts.documents"], ["scripts.check", "roihu"]):
        done = call(*words, tmp_path, cwd=tmp_path)
        assert done.returncode == 2 and f"{closed}: this folder cannot be read" in done.stderr


def test_pytest_has_a_test_for_each_script(alone, tmp_path):
    a, b = f"{FENCE}```\n\n```\n{ROIHU}```\n", f"```\n{NOWHERE}```\n"
    write(tmp_path, {"a.md": a, "b.md": b, "pytest.ini": "[pytest]\n"})
    words = ["-p", "scripts.documents.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:timeout", "-rA"]
    done = call("pytest", *words, "--jobscripts", ".", cwd=tmp_path)
    assert done.returncode == 1 and "1 failed, 1 passed, 1 skipped" in done.stdout, done.stdout + done.stderr
    assert "a.md:7: error (refused): Roihu: `--time=99-00:00:00`" in done.stdout
    assert call("pytest", *words, ".", cwd=tmp_path).returncode == 5  # nothing is collected unasked


def test_the_hook_and_the_command_are_the_same(alone, tmp_path):
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    hook = hooks["job-scripts-in-docs"]
    assert hook["entry"] == "guide docs" and hook["language"] == "script"
    named = re.compile(hook["files"])
    assert all(named.search(document(kind, "Roihu", "")[0]) for kind in WRAPPED)
    assert not named.search("src/main.py")
