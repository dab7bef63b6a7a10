"""A refusal is told with line, option, limit and source; nothing that the scheduler takes is refused."""

import re

import pytest

from scripts.check.findings import FIELDS, by_scheduler, check
from scripts.check.report import Report
from scripts.check.scheduler import Answer
from scripts.engine.ask import ask
from tests.clusters import CLUSTERS
from tests.engine.versions import is_22_05
from tests.twin import kept as twins
from tests.twin.many import ask_many

HEAD = "#!/bin/bash\n#SBATCH --account=project_2001234\n"


def findings(key: str, text: str) -> list[Report]:
    """What the scheduler refuses, and why the engine says so, without rules and advice."""
    cluster, asked = CLUSTERS[key], [[key, text, "my.sh"]]
    ((submitted,), (decided,)) = ask("check", [cluster], asked), ask("decide", [cluster], asked)
    (answer,) = ask_many(twins.twin(cluster), [submitted["submit"]])
    reports = [Report("my.sh", **{name: each.get(name) for name in FIELDS}) for each in decided["findings"]]
    return sorted(by_scheduler(cluster, reports, decided["verdict"], answer, "my.sh"), key=lambda report: report.line)


def said(key: str, text: str) -> list[str]:
    """As a person reads them. The day is that of the facts."""
    return [re.sub(r"checked [\d-]+", "checked DAY", str(report)) for report in findings(key, text)]


def test_words_limit_source_and_cure():
    assert said("roihu", f"{HEAD}#SBATCH -p gputest --gres=gpu:gh200:1 --time=4-00:00:00\ntrue\n") == [
        "my.sh:3: error (refused): `--time=4-00:00:00` is longer than the partition `gputest` allows, 15 minutes "
        "(source: CSC, checked DAY). Request less."
    ]
    (report,) = findings("roihu", f"{HEAD}#SBATCH -p gpumedium --gres=gpu:gh200:1 -t 2-0\ntrue\n")
    assert (report.rule, report.option, report.limit) == ("time-over-partition", "-t 2-0", "36 hours")


def test_the_cure_names_a_partition_that_takes_the_job():
    (report,) = findings("puhti", f"{HEAD}#SBATCH -p small -t 10-0\ntrue\n")
    assert report.cure == "Request less, or use the partition `longrun`."
    assert findings("puhti", f"{HEAD}#SBATCH -p longrun -t 10-0\ntrue\n") == []


def test_the_cure_names_no_partition_of_other_nodes_or_that_sends_the_job_back():
    head = "#!/bin/bash\n#SBATCH -A bench --mem=9G -t 1:00:00"
    (report,) = findings("kestrel", f"{head} -p debug --gpus-per-node=3 -n 3 -c 32\ntrue\n")
    assert report.cure == "Request fewer, or use the partition `gpu-h100s` or `gpu-h100`."
    (report,) = findings("kestrel", f"{head.replace('1:', '99:')} -p standard -N 300\ntrue\n")
    assert report.cure == "Request less."
    (report,) = findings("kestrel", f"{head.replace('1:', '99:')} -p standard -N 3\ntrue\n")
    assert "gpu" not in report.cure and "long" in report.cure


def test_options_that_are_at_fault_together_are_one_finding():
    (report,) = findings("puhti", f"{HEAD}#SBATCH -p small\n#SBATCH --ntasks=10\n#SBATCH --cpus-per-task=8\ntrue\n")
    assert report.line in (4, 5) and "80 cores" in report.what
    assert "--ntasks=10" in report.what and "--cpus-per-task=8" in report.what


X_SMALL = "#SBATCH -A x -p small"
TOLD = [
    # each component of a heterogeneous job
    ("puhti", f"{X_SMALL}\n#SBATCH hetjob\n#SBATCH -A x -p gpu --gres=gpu:v100:1 -t 9-0", [(4, "time-over-partition")]),
    ("mahti", f"{X_SMALL}\n#SBATCH hetjob\n#SBATCH -A x -c 4", [(4, "no-partition")]),
    # which has the account and the time of any before it
    (
        "puhti",
        f"{X_SMALL} -t 9-0\n#SBATCH hetjob\n#SBATCH -p small -t 9\n#SBATCH hetjob\n#SBATCH -p small",
        [(2, "time-over-partition")],
    ),
    # what nobody can know here is not judged, and hides no other fault
    ("puhti", f"{X_SMALL} -C ssd\n#SBATCH -t 9-0", [(2, "unknown-constraint"), (3, "time-over-partition")]),
    ("puhti", f"{X_SMALL} --licenses=ansys:2", [(2, "unknown-licenses")]),
    ("puhti", f"{X_SMALL} --reservation=course", [(2, "unknown-reservation")]),
    ("puhti", f"{X_SMALL} --dependency=afterok:123456", [(2, "unknown-dependency")]),
    ("puhti", f"{X_SMALL} --qos=mine", [(2, "unknown-qos")]),
    ("puhti", f"{X_SMALL} -w r01g01", [(2, "unknown-nodelist")]),
    ("puhti", f"{X_SMALL} -M other", [(2, "unknown-clusters")]),
    ("puhti", f"{X_SMALL} --spread-segments", [(2, "not-judged-here")]),
    ("puhti", f"{X_SMALL} --dependency=singleton", []),
    ("rivanna", "#SBATCH -A x -p gpu --gres=gpu:a100:1 --constraint=a100_80gb", []),
    # without a partition, one whose nodes have the disk
    ("kestrel", "#SBATCH -A x --mem=1G -t 10 --tmp=3T", []),
    # a QOS that the facts know is held to its limits
    ("kestrel", "#SBATCH -A x --mem=1G --qos=standby -t 1-0", []),
    ("kestrel", "#SBATCH -A x --mem=1G --qos=standby\n#SBATCH -t 2-0", [(3, "time-over-qos")]),
]
NOT_JUDGED = re.compile("unknown-(?!partition|option)|not-judged-here")


@pytest.mark.parametrize("key, directives, told", TOLD)
def test_each_fault_is_told_on_its_line_with_its_kind(key, directives, told):
    found = findings(key, f"#!/bin/bash\n{directives}\ntrue\n")
    assert [(report.line, report.rule) for report in found] == told
    for report in found:
        assert (report.kind == "not judged") is bool(NOT_JUDGED.match(report.rule))


@pytest.mark.parametrize(
    "options, rule, cure",
    [
        ("--partition=gpumedum --gres=gpu:gh200:1", "unknown-partition", "Did you mean `gpumedium`?"),
        ("--partition=gpumedium --gres=gpu:v100:1", "gpu-elsewhere", "Use one of these names."),
        ("-p small --tiem=5", "unknown-option", "Did you mean `--time`?"),
        ("-p small --ntask-per-node=2", "unknown-option", "Did you mean `--ntasks-per-node`?"),
        ("-p small --constraint=[", "scheduler", ""),
    ],
)
def test_other_refusals(options, rule, cure):
    (report,) = findings("roihu", f"{HEAD}#SBATCH {options}\ntrue\n")
    assert (report.line, report.kind, report.rule, report.cure) == (3, "refused", rule, cure)


def test_grid_engine_tells_the_limit_that_a_job_breaks():
    broken = {
        "-l coproc_v100=5": ("gpus-over-partition", "4"),
        "-l coproc_v100=2 -pe smp 21": ("cores-over-gpu", "20"),
        "-l coproc_v100=2,h_vmem=5G": ("memory-over-gpu", "4.8 GiB"),
        "-pe smp 41": ("cores-over-node", "40"),
        "-pe smp 40 -l h_vmem=20G": ("memory-over-node", "192 GiB"),
        "-l nodes=2,h_vmem=5G": ("memory-over-node", "192 GiB"),
        "-l nodes=2,ppn=41": ("cores-over-node", "40"),
        "-t 1-75001": ("jobs-over-queue", "75000"),
        "-l h_rt=99:0:0": ("time-over-partition", "2 days"),
    }
    asked = [["arc4", f"#!/bin/bash\n#$ -l h_rt=1:0:0\n#$ {words}\ntrue\n"] for words in broken]
    for words, answer in zip(broken, ask("decide", [CLUSTERS["arc4"]], asked), strict=True):
        assert [(each["rule"], each["limit"]) for each in answer["findings"]] == [broken[words]], words


def test_what_another_slurm_may_place_is_doubtful_in_the_check_and_on_the_page():
    """On LUMI, whose cores have two threads; what no Slurm can place is refused all the same."""
    head = "#!/bin/bash\n#SBATCH -A project_462000123 -p small-g -N1 --ntasks-per-node=1 --gpus-per-node=1 -t 10\n"
    for cores, kind, rule in ((7, "doubtful", "cores-with-threads"), (200, "refused", "cores-over-node")):
        script = f"{head}#SBATCH --cpus-per-gpu={cores}\n"
        told = [each for each in findings("lumi", script) if each.kind in ("refused", "doubtful")]
        (own,) = ask("found", [CLUSTERS["lumi"]], [["lumi", script]])
        assert own["verdict"] == {"doubtful": "not judged", "refused": "refused"}[kind]
        if kind == "doubtful" and not is_22_05():
            assert told == []  # it is 22.05 that cannot; 24.11 can
            continue
        assert [(each.line, each.kind, each.rule) for each in told] == [(3, kind, rule)]
        assert (told[0].what, told[0].cure) in [(each["what"], each["cure"]) for each in own["findings"]]


def test_what_the_engine_places_and_the_twin_does_not_is_doubtful():
    """Slurm 24.11 places fewer jobs of `--gpus-per-task` on cores with two threads. Another refusal is one."""
    for said, kind in (("Requested node configuration is not available", "doubtful"), ("Invalid qos", "refused")):
        (told,) = by_scheduler(CLUSTERS["lumi"], [], "accepted", Answer(False, f"sbatch: error: {said}"), "my.sh")
        assert (told.kind, told.rule, said in told.what) == (kind, "scheduler", True)


@pytest.mark.parametrize(
    "key, options, wanted",
    [
        ("kestrel", "--account=x --partition=hbw --time=10 --ntasks=300", 3),  # 104 cores a node
        ("kestrel", "--account=x --partition=hbw --time=10", 2),
        ("roihu", "--account=x --partition=large --time=10 --exclusive", 6),
    ],
)
def test_a_partition_of_many_nodes_is_not_for_a_job_that_names_none(key, options, wanted):
    """Slurm 22.05 gives the least number silently, and newer Slurm, which these systems have, refuses."""
    head = "#!/bin/bash\n" + "".join(f"#SBATCH {option}\n" for option in options.split())
    (told,) = [each for each in findings(key, f"{head}true\n") if each.kind == "refused"]
    assert (told.line, told.rule) == (3, "no-nodes") and f"--nodes={wanted}" in told.cure
    (own,) = ask("found", [CLUSTERS[key]], [[key, f"{head}true\n"]])
    (refused,) = [each for each in own["findings"] if each["kind"] == "refused"]
    assert (refused["what"], refused["cure"]) == (told.what, told.cure)
    assert {each.kind for each in findings(key, f"{head}#SBATCH --nodes={wanted}\ntrue\n")} <= {"not judged"}


def test_what_rests_on_a_doubtful_fact_is_doubtful_with_the_doubt():
    cluster = CLUSTERS["aire"]
    assert "partitions.gpu.max_time" in cluster.unconfirmed
    (report,) = findings("aire", "#!/bin/bash\n#SBATCH -p gpu --gres=gpu:1 -t 99-0\ntrue\n")
    assert report.kind == "doubtful" and cluster.unconfirmed["partitions.gpu.max_time"] in report.what


@pytest.mark.parametrize(
    "body",
    [
        "# Grüße – „fertig“\n",
        'echo "Grüße – „fertig“"\n',
        "cat <<'EOF'\n#SBATCH --time=99-0\n#SBATCH –time=1\nEOF\n",
        "echo '--time=99-0 <value>'\n",
        "echo caf\xe9\n",
        "echo a\rb\n",
    ],
)
def test_nothing_is_refused_that_the_scheduler_takes(body):
    data = f"{HEAD}#SBATCH -p small --comment='-lr=0.1 <x> –'\n{body}".encode("latin-1", "replace")
    assert twins.twin(CLUSTERS["puhti"]).ask(data, "my.sh").returncode == 0
    assert [report for report in check(CLUSTERS["puhti"], [("my.sh", data)])[0] if report.kind == "refused"] == []
