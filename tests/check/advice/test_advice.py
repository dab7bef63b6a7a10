"""Each advice is given to its bad samples and to none of its good ones, and to none of the guide's own scripts."""

from pathlib import Path

import pytest

from scripts.check import advice
from scripts.check.advice import ADVICE
from scripts.check.advice.case import Case
from scripts.check.advice.commands import read
from scripts.check.advice.container import folders, runs
from scripts.check.advice.modules import loaded, used_folders
from scripts.check.advice.samples import Sample, samples
from scripts.check.asked import Job, asked
from scripts.check.report import Report
from scripts.facts import Cluster, load_all
from scripts.paths import SNIPPETS
from tests.twin import kept as twins

CLUSTERS = load_all()
NAMES = [module.__name__.rpartition(".")[2] for module in ADVICE]
SAMPLES = [
    pytest.param(
        rule, sample, sample in of_rule.bad, id=f"{rule}-{'bad' if sample in of_rule.bad else 'good'}-{number}"
    )
    for name in NAMES
    for rule, of_rule in samples(name).items()
    for number, sample in enumerate([*of_rule.bad, *of_rule.good])
]
SCRIPTS = [path for path in sorted(SNIPPETS.glob("*/*.sh")) if path.parent.name in CLUSTERS]


def advised(cluster: Cluster, text: str, file: str = "my.sh") -> list[Report]:
    twins.need_scheduler(cluster.scheduler.kind)
    return advice.all(cluster, asked(cluster, text.encode()), text.splitlines(), file)


def cluster_of(sample: Sample) -> Cluster:
    cluster = CLUSTERS[sample.cluster]
    if sample.version:
        cluster = cluster.model_copy(
            update={"scheduler": cluster.scheduler.model_copy(update={"version": sample.version})}
        )
    return cluster


@pytest.mark.parametrize("rule, sample, bad", SAMPLES)
def test_samples(rule, sample, bad):
    cluster = CLUSTERS[sample.cluster]
    text = sample.script(cluster)
    understood = asked(cluster, text.encode())
    found = advice.all(cluster_of(sample), understood, text.splitlines(), "my.sh")
    told = [(report.rule, report.line, report.kind) for report in found if report.rule == rule]
    assert told == ([(rule, sample.line, sample.kind)] if bad else []), "\n".join(map(str, found)) + text


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(SNIPPETS)))
def test_the_guides_scripts_are_accepted_and_run_with_what_the_facts_name(script):
    """Accepted by the twin, with modules, folders, images that the facts name, on processors that they are for."""
    cluster, text = CLUSTERS[script.parent.name], script.read_text(encoding="utf-8")
    case = Case(cluster, Job(), [], read(text.splitlines()), text.splitlines(), str(script))
    software = cluster.software
    assert {name for name, _ in loaded(case)} <= set(software.modules)
    assert set(used_folders(case)) <= set(software.module_paths)
    images = {word for _, words in runs(case) for word in words if word.endswith(".sif")}
    assert images <= set(software.images)
    if script.name == "interactive.sh":
        return  # one line that is typed; there is nothing to submit
    understood = asked(cluster, text.encode())
    assert understood.accepted, understood.said
    found = advice.all(cluster, understood, text.splitlines(), str(script))
    assert [str(report) for report in found if report.rule != "switched-off" or cluster.running] == []


def test_every_image_of_another_system_is_known_by_its_folder():
    assert folders(CLUSTERS["rivanna"]) == {"$CONTAINERDIR"}


def test_a_doubt_makes_advice_doubtful_and_says_so():
    (report,) = [
        report
        for report in advised(
            CLUSTERS["rivanna"], "#!/bin/bash\n#SBATCH -A a -p gpu --gres=gpu:a40:1 -t 9 -c 24\n./run\n"
        )
        if report.rule == "cores-over-share"
    ]
    assert report.kind == "doubtful" and "not certain" in report.what and report.source.startswith("University of")


def test_each_component_of_a_heterogeneous_job_is_advised():
    text = (
        "#!/bin/bash\n#SBATCH -A project_465000001 -p small -t 9\n#SBATCH hetjob\n"
        "#SBATCH -A project_465000001 -p small-g -t 9 --gpus-per-node=1 -c 20\nsrun ./run\n"
    )
    assert {(report.rule, report.line) for report in advised(CLUSTERS["lumi"], text)} == {("cores-over-share", 4)}


def test_the_guides_account_is_a_sample_in_a_copy_and_not_in_the_guide(tmp_path):
    script = SNIPPETS / "narval" / "one_gpu.sh"
    copy = advised(CLUSTERS["narval"], script.read_text(encoding="utf-8"), str(tmp_path / "one_gpu.sh"))
    assert [report.rule for report in copy] == ["account-sample"]


def test_without_a_word_from_the_scheduler_the_body_is_still_read():
    """Where sbatch refuses a script before any job is made."""
    text = "#!/bin/bash\n#SBATCH --nonsense\npip install torch\n"
    assert [report.rule for report in advised(CLUSTERS["narval"], text)] == ["internet-none"]


def test_samples_files_belong_to_an_advice():
    files = {path.stem for path in Path(advice.__file__).parent.glob("*.yml")}
    assert files == set(NAMES)
