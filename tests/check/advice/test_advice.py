"""Each advice is given to its bad samples and to none of its good ones, and to none of the guide's own scripts."""

import re
from pathlib import PurePosixPath

import pytest

from scripts.check import advice
from scripts.check.advice.samples import FOLDER, Sample, samples
from scripts.check.asked import asked
from scripts.check.report import Report
from scripts.facts import Cluster, load_all
from scripts.jobscript.advice import common
from scripts.jobscript.node import ENGINE, ask
from scripts.paths import SNIPPETS
from tests.twin import kept as twins

CLUSTERS = load_all()
NAMES = sorted(path.stem for path in FOLDER.glob("*.yml"))
RULES = {rule for name in NAMES for rule in samples(name)}
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
    return advice.all(cluster, asked(cluster, text.encode()), text, file)


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
    found = advice.all(cluster_of(sample), understood, text, "my.sh")
    told = [(report.rule, report.line, report.kind) for report in found if report.rule == rule]
    assert told == ([(rule, sample.line, sample.kind)] if bad else []), "\n".join(map(str, found)) + text
    (page,) = ask("judge", [cluster_of(sample)], cluster.key, {"my.sh": text})
    if understood.accepted and page["verdict"] == "accepted":  # the page understands it as the scheduler does
        said = {tuple(each[name] for name in NAMES_OF) for each in page["findings"] if each["rule"] in RULES}
        assert said == {tuple(getattr(report, name) for name in NAMES_OF) for report in found}


NAMES_OF = ("rule", "line", "kind", "what", "cure", "option", "limit", "source")


def test_the_page_understands_most_samples():
    """So that the comparison above is one."""
    both = [
        (sample.cluster, sample.script(CLUSTERS[sample.cluster])) for _, sample, _ in (each.values for each in SAMPLES)
    ]
    keys = {key for key, _ in both}
    judged = [page for key in keys for page in ask("judge", [CLUSTERS[key]], key, dict(named(both, key)))]
    assert sum(page["verdict"] == "accepted" for page in judged) >= 0.7 * len(both)


def named(scripts: list[tuple[str, str]], key: str) -> list[tuple[str, str]]:
    return [(f"{number}.sh", text) for number, (of, text) in enumerate(scripts) if of == key]


def test_each_rule_of_the_engine_has_samples():
    written = "".join(path.read_text(encoding="utf-8") for path in ENGINE.glob("advice_*.js"))
    assert set(re.findall(r'\bsay\("([a-z-]+)"', written)) == RULES


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(SNIPPETS)))
def test_the_guides_scripts_are_accepted_and_run_with_what_the_facts_name(script):
    """Accepted by the twin, with modules, folders, images that the facts name, on processors that they are for."""
    cluster, text = CLUSTERS[script.parent.name], script.read_text(encoding="utf-8")
    software = cluster.software
    (uses,) = ask("software", [], [text])
    assert set(uses["modules"]) <= set(software.modules)
    assert set(uses["folders"]) <= set(software.module_paths)
    assert set(uses["images"]) <= set(software.images)
    if script.name == "interactive.sh":
        return  # one line that is typed; there is nothing to submit
    understood = asked(cluster, text.encode())
    assert understood.accepted, understood.said
    found = advice.all(cluster, understood, text, str(script))
    assert [str(report) for report in found if report.rule != "switched-off" or cluster.running] == []


def test_every_image_of_another_system_is_known_by_its_folder():
    folders = {str(PurePosixPath(image).parent) for image in CLUSTERS["rivanna"].software.images}
    assert {folder: common()["images"][folder] for folder in folders} == {"$CONTAINERDIR": CLUSTERS["rivanna"].name}


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


def test_without_node_it_is_said_that_there_is_no_advice(monkeypatch):
    from scripts.errors import BadInput
    from scripts.jobscript import node

    def no_node():
        raise BadInput("node", None, "there is no Node here.", "Install it.")

    monkeypatch.setattr(node, "node", no_node)
    (report,) = advised(CLUSTERS["narval"], "#!/bin/bash\npip install torch\n")
    assert report.rule == "no-advice" and report.kind == "not judged" and "no Node" in report.what
