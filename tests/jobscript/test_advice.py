"""The page's advice is the command's: the kinds that it has say the same, of the same scripts, in the same words."""

from __future__ import annotations

import re

from scripts.check import advice
from scripts.check.advice import ADVICE
from scripts.check.advice.commands import read
from scripts.check.advice.samples import samples
from scripts.check.asked import Asked, GpuRequest, Job
from scripts.check.directives import components
from scripts.check.directives import read as options_of
from scripts.check.report import Report
from scripts.facts import load_all
from scripts.jobscript.node import ENGINE, ask
from scripts.paths import SNIPPETS
from tests.check.advice.test_advice import cluster_of
from tests.jobscript import corpus

CLUSTERS = load_all()
OF_VERSIONS = {"srun-one-core"}
RULES = set(re.findall(r'say\("([a-z-]+)"', (ENGINE / "advice.js").read_text(encoding="utf-8")))


def scripts() -> list[tuple[str, str]]:
    """(system, text) of every sample, of the guide's own scripts, and of many with faults in them."""
    found = []
    for module in ADVICE:
        for of_rule in samples(module.__name__.rpartition(".")[2]).values():
            found += [
                (sample.cluster, sample.script(CLUSTERS[sample.cluster]))
                for sample in of_rule.bad + of_rule.good
                if not sample.version
            ]
    for kind in ("slurm", "grid_engine"):
        planted = corpus.planted(kind, 2)
        found += [(plant.script.parent.name, plant.data.decode().replace("\r", "")) for plant in planted]
    found += [(path.parent.name, path.read_text(encoding="utf-8")) for path in corpus.job_scripts("slurm")]
    return [(key, text.lstrip("\ufeff").replace("\0", "")) for key, text in found]


def job_of(given: dict | None) -> Job:
    """The engine's job as Python's advice takes it: what these kinds look at."""
    gpus = [each for each in (given or {}).get("gres", ()) if each["name"] == "gpu"]
    total = sum(each["perJob"] + each["perNode"] + each["perTask"] for each in gpus)
    asked = tuple(GpuRequest(each["type"] or "", "job", 1) for each in gpus)
    return Job(cpus_per_task=(given or {}).get("cpusPerTask"), gpus=asked, gpus_total=total)


def test_it_says_the_same():
    asked = [(key, text) for key, text in scripts() if len(components(options_of(text.split("\n"), kind(key)))) == 1]
    answers = ask("advice", CLUSTERS.values(), asked)
    seen, wrong = set(), []
    for (key, text), answer in zip(asked, answers, strict=True):
        understood = Asked(True, "", (job_of(answer.get("job")),))
        told = advice.all(CLUSTERS[key], understood, text.split("\n"), "job.sh")
        ours = [each for each in told if each.rule in RULES and comparable(each, answer.get("job"), key)]
        theirs = [Report(**each) for each in answer["found"]]
        seen |= {each.rule for each in theirs}
        if set(ours) != set(theirs):
            only = [str(each) for each in set(ours) ^ set(theirs)]
            wrong.append(f"{key}: {only}\n{text}")
    assert not wrong, "\n".join(wrong[:4])
    assert len(asked) >= 700 and seen == RULES - OF_VERSIONS, RULES - seen


def test_samples_of_other_versions():
    """What rests on a scheduler's version that no system has today."""
    told = {True: 0, False: 0}
    for rule, of_rule in samples("srun_cores").items():
        for sample in of_rule.bad + of_rule.good:
            cluster = cluster_of(sample)
            ((answer),) = ask("advice", [cluster], [(cluster.key, sample.script(cluster))])
            found = [(each["rule"], each["line"]) for each in answer["found"] if each["rule"] == rule]
            bad = sample in of_rule.bad
            assert found == ([(rule, sample.line)] if bad else []), sample
            told[bad] += 1
    assert all(told.values())


def comparable(report: Report, job: dict | None, key: str) -> bool:
    """What rests on a job is not said where the engine understood none."""
    rests = "memory-|gpu-|partition-" if kind(key) == "slurm" else "memory-|gpu-"
    return job is not None or not re.match(rests, report.rule)


def kind(key: str) -> str:
    return CLUSTERS[key].scheduler.kind


def test_commands_are_read_alike():
    texts = [text for _, text in scripts()]
    texts += [script.decode("utf-8", "replace").replace("\r", "") for script in corpus.spoilt(500, "slurm", "advice")]
    for text, theirs in zip(texts, ask("bash", [], texts), strict=True):
        names = ("line", "words", "sets", "certain", "name")
        ours = [{name: getattr(each, name) for name in names} for each in read(text.split("\n"))]
        theirs = [each | {"words": tuple(each["words"]), "sets": tuple(each["sets"])} for each in theirs]
        assert ours == theirs, text


def test_a_verdict_holds_the_advice_and_stays_accepted():
    text = (SNIPPETS / "kestrel/one_gpu.sh").read_text(encoding="utf-8") + "exit\npython3 more.py\n"
    (judged,) = ask("judge", [CLUSTERS["kestrel"]], "kestrel", {"job.sh": text})
    assert judged["verdict"] == "accepted"
    assert [(each["rule"], each["kind"]) for each in judged["findings"]] == [("ends-early", "unwise")]
