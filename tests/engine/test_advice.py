"""Each advice is given to its bad samples and to none of its good ones; of the guide's scripts, see tests/check."""

import re
from pathlib import PurePosixPath

import pytest

from scripts.engine.ask import ask
from scripts.engine.bundle import JS
from scripts.engine.data.advice import advice, common
from scripts.facts import Cluster
from scripts.paths import SNIPPETS
from tests.clusters import CLUSTERS
from tests.engine.advice_sample import Sample, samples
from tests.twin.pairs import job, script

SAMPLES = samples()


def cluster_of(sample: Sample) -> Cluster:
    cluster = CLUSTERS[sample.cluster]
    if sample.version:
        scheduler = cluster.scheduler.model_copy(update={"version": sample.version})
        cluster = cluster.model_copy(update={"scheduler": scheduler})
    if sample.every_module:
        software = cluster.software.model_copy(update={"every_module": sample.every_module})
        cluster = cluster.model_copy(update={"software": software})
    return cluster


def found(key: str, text: str) -> dict:
    (answer,) = ask("found", [CLUSTERS[key]], [[key, text]])
    return answer


@pytest.mark.parametrize("rule", SAMPLES)
def test_an_advice_is_given_to_its_bad_samples_and_to_no_good_one(rule):
    wrong = []
    for sample in (*SAMPLES[rule].bad, *SAMPLES[rule].good):
        cluster = cluster_of(sample)
        text = sample.script(cluster)
        (answer,) = ask("found", [cluster], [[cluster.key, text]])
        own = [each for each in answer["findings"] if each["rule"] == rule]
        told = [(each["line"], each["kind"]) for each in own]
        wanted = [(sample.line, sample.kind)] if sample in SAMPLES[rule].bad else []
        says = all(sample.says in f"{each['what']} {each['cure']}" for each in own)
        wrong += [f"{own}, not {wanted}, {sample.says}: {cluster.key}: {text}"] if told != wanted or not says else []
    assert wrong == []


def test_the_cure_for_minutes_taken_for_hours_is_hours():
    text = "#!/bin/bash\n#SBATCH --account=def-me --time=30:00 --mem=8G\n# takes 30 hours\nsrun ./a\n"
    (one,) = [each for each in found("narval", text)["findings"] if each["rule"] == "hours-as-minutes"]
    assert one["cure"] == "Write --time=30:00:00."


def test_each_advice_of_the_engine_has_samples():
    written = "".join(path.read_text(encoding="utf-8") for path in (JS / "advice").glob("*.js"))
    assert set(re.findall(r'\byield (?:given\.)?say\(\s*"([a-z-]+)"', written)) == set(SAMPLES)


def test_every_image_of_another_system_is_known_by_its_folder():
    folders = {str(PurePosixPath(image).parent) for image in CLUSTERS["rivanna"].software.images}
    assert {folder: common()["images"][folder] for folder in folders} == {"$CONTAINERDIR": CLUSTERS["rivanna"].name}


def test_a_variable_of_several_systems_is_that_of_one_that_runs():
    assert not CLUSTERS["beluga"].running and advice(CLUSTERS["kestrel"])["others"]["SLURM_TMPDIR"] == "Fir"


def test_a_doubt_makes_advice_doubtful_and_says_so():
    text = "#!/bin/bash\n#SBATCH -A a -p gpu --gres=gpu:a40:1 -t 9 -c 24\n./run\n"
    (told,) = [each for each in found("rivanna", text)["findings"] if each["rule"] == "cores-over-share"]
    assert told["kind"] == "doubtful" and "unconfirmed" in told["what"]
    assert told["source"].startswith("University of")


def test_each_component_of_a_heterogeneous_job_is_advised():
    text = (
        "#!/bin/bash\n#SBATCH -A project_465000001 -p small -t 9\n#SBATCH hetjob\n"
        "#SBATCH -A project_465000001 -p small-g -t 9 --gpus-per-node=1 -c 20\nsrun ./run\n"
    )
    assert [each["line"] for each in found("lumi", text)["findings"] if each["rule"] == "cores-over-share"] == [4]


def test_no_cure_leads_to_a_partition_that_is_closed_to_most():
    """Of a job that wants too much time of a partition, or few of the GPUs of its nodes."""
    slurm = {key: cluster for key, cluster in CLUSTERS.items() if cluster.scheduler.kind == "slurm"}
    asked = [
        [key, script(cluster, job(cluster, name, **more))]
        for key, cluster in slurm.items()
        for name in cluster.partitions
        for more in ({"time": "999-0"}, {"gres": "gpu:1"})
    ]
    cures = [(key, each) for (key, _), answer in zip(asked, ask("found", slurm.values(), asked), strict=True)
             for each in answer["findings"] if each["cure"]]  # fmt: skip
    assert {"whole-node-few-gpus", "time-over-partition"} <= {each["rule"] for _, each in cures}
    closed = {key: {name for name, p in cluster.partitions.items() if p.access} for key, cluster in slurm.items()}
    led = [f"{key}: {each['cure']}" for key, each in cures if closed[key] & set(re.findall(r"[\w-]+", each["cure"]))]
    assert led == []


def test_a_copy_of_the_guides_script_is_told_that_its_account_is_a_sample():
    text = (SNIPPETS / "narval/one_gpu.sh").read_text(encoding="utf-8")
    assert [each["rule"] for each in found("narval", text)["findings"]] == ["account-sample"]


def test_where_the_options_are_not_understood_the_body_is_still_read():
    told = found("narval", "#!/bin/bash\n#SBATCH --nonsense\npip install torch\n")["findings"]
    assert {each["rule"] for each in told} >= {"unknown-option", "internet-none"}


def test_a_verdict_holds_the_advice_and_stays_accepted():
    text = (SNIPPETS / "kestrel/one_gpu.sh").read_text(encoding="utf-8") + "exit\npython3 more.py\n"
    judged = found("kestrel", text.replace("--account=hpcapps", "--account=mine"))
    told = [(each["rule"], each["kind"]) for each in judged["findings"] if each["kind"] != "not judged"]
    assert judged["verdict"] == "accepted" and told == [("ends-early", "unwise")]
