"""What is refused first hides nothing: all faults of a script are told at once, and each of them is one."""

import random
import re
from functools import cache

import pytest

from scripts.engine.ask import ask
from scripts.facts import Cluster, Rule
from scripts.markdown import in_larger_units
from tests.clusters import SLURM
from tests.engine.agreement import compare
from tests.engine.generator import GPU_OPTIONS, options
from tests.twin import kept as twins
from tests.twin.many import ask_many
from tests.twin.pairs import job, script

ASKING = {
    key: cluster
    for key, cluster in SLURM.items()
    if Rule.REQUIRED in (cluster.policy.account.rule, cluster.policy.time.rule, cluster.policy.partition.rule)
}
DRAWN = 15  # random scripts of each system


def judged(key: str, *options: str) -> dict:
    text = "".join(["#!/bin/bash\n", *(f"#SBATCH {option}\n" for option in options), "srun ./a\n"])
    (found,) = ask("found", [SLURM[key]], [[key, text]])
    return found


def test_a_disk_that_no_node_has_is_told_with_the_largest():
    (disk,) = [
        each
        for each in judged("kestrel", "--account=a", "--time=30", "--partition=debug", "--tmp=99T")["findings"]
        if each["rule"] == "disk-over-node"
    ]
    sizes = {SLURM["kestrel"].node_types[name].tmp for name in SLURM["kestrel"].partitions["debug"].node_types} - {None}
    most = max(sizes, key=lambda size: size.mib)
    assert disk["limit"] == str(most) and disk["what"].endswith(f" has {in_larger_units(most)}.")
    (near,) = judged("kestrel", "--account=a", "--time=30", "--partition=debug", f"--tmp={most.mib + 1:.0f}")[
        "findings"
    ]
    assert f"requests {most.mib + 1:.0f} MiB" in near["what"], "where both would read the same, exactly"


def test_memory_that_no_node_has_is_told_with_the_largest():
    for key, cluster in SLURM.items():
        kinds = {name: [cluster.node_types[own] for own in each.node_types] for name, each in cluster.partitions.items()
                 if not each.max_memory_per_node}  # fmt: skip
        rooms = {name: max((node.memory for node in own), key=lambda size: size.mib) for name, own in kinds.items()
                 if all(node.memory and not node.gpus for node in own)}  # fmt: skip
        asked = [[key, script(cluster, job(cluster, name, mem="99T"))] for name in rooms]
        for most, answer in zip(rooms.values(), ask("found", [cluster], asked), strict=True):
            limits = {each["limit"] for each in answer["findings"] if each["rule"] == "memory-over-node"}
            assert limits <= {str(most)}, (key, limits)


def told(findings: list[dict]) -> set[str]:
    """The rules of all that is refused, and of what is required, though an unconfirmed fact says so."""
    return {each["rule"] for each in findings if each["kind"] == "refused" or each["rule"].startswith("no-")}


@pytest.mark.parametrize("key", ASKING)
def test_what_is_required_and_missing_hides_no_other_fault(key):
    policy = SLURM[key].policy
    wanted = {f"no-{name}" for name in ("account", "time", "partition") if getattr(policy, name).rule is Rule.REQUIRED}
    found = judged(key, "--ntasks=1", "--cpus-per-task=5000")
    assert wanted < told(found["findings"]) and found["verdict"] == "refused"


@pytest.mark.parametrize(
    ("key", "options", "wanted"),
    [
        ("kestrel", "--gpus=h100:9 --nodes=1", {"no-account", "no-time", "gpus-over-node"}),
        ("narval", "--gpus-per-node=a100:9 --nodes=1", {"no-account", "no-time", "gpus-over-node"}),
        ("puhti", "--partition=gpu --gres=gpu:2 --time=9-0", {"no-account", "no-gpu-model", "time-over-partition"}),
        ("puhti", "--gres=gpu:2 --partition=nowhere --time=99-0 --mem=99T",
         {"no-account", "unknown-partition", "time-over-partition", "memory-over-node", "no-gpu-model"}),
        ("kestrel", "--time=abc --gpus=h100:9 --nodes=1", {"no-account", "time-form", "gpus-over-node"}),
        ("kestrel", "--acount=x --time=99-0 --mem=9G", {"unknown-option", "time-over-partition"}),
        ("kestrel", "--account=mine --gpus=64 --time=99-0", {"time-over-partition"}),
        ("kestrel", "--time=99-0 --gpus=64", {"no-account", "time-over-partition"}),
        ("lumi", "--account=project_462000123 --mem=9G", {"no-partition"}),
    ],
)  # fmt: skip
def test_all_faults_are_told_at_once(key, options, wanted):
    found = judged(key, *options.split())
    assert told(found["findings"]) == wanted and found["verdict"] == "refused"


@pytest.mark.parametrize(
    ("key", "options", "what"),
    [
        ("kestrel", "--partition=short --time=5 --mem=1010G",
         "`--mem=1010G` requests 1010 GiB per node, but a node of the partition `short` has 961.2 GiB for jobs."),
        ("puhti", "--partition=small --time=5 --mem=400G",
         "`--mem=400G` requests 400 GiB per node, but the partition `small` allows 373 GiB."),
        ("lumi", "--partition=small --time=5 --hint=multithread --cpus-per-task=257",
         "`--cpus-per-task=257` requests 257 cores per node, but a node of the partition `small` has 256."),
        ("mahti", "--partition=gputest --time=5 --gres=gpu:a100:1 --hint=multithread --cpus-per-task=512",
         "`--cpus-per-task=512` requests 256 cores, but the partition `gputest` allows 128."),
        ("roihu", "--partition=gpumedium --time=5 --gres=gpu:gh200:1 --mem=288000M",
         "`--mem=288000M` requests 281.3 GiB per `gh200`, but Roihu allows 217 GiB."),
        ("rivanna", "--partition=gpu-mig --time=5 --gres=gpu:1 --mem=30001M",
         "`--mem=30001M` requests 30001 MiB per node, but the partition `gpu-mig` allows 30000 MiB."),
        *(("narval", f"--time=60 {option}5",
           f"`{option}5` requests 5 GPUs per node, but a node of Narval has 4, and a job can have 1 slice. "
           f"This is unconfirmed: {SLURM['narval'].unconfirmed['policy.slices_per_job']}.")
          for option in ("--gres=gpu:", "--gpus-per-node=")),
    ],
)  # fmt: skip
def test_a_refusal_is_a_whole_sentence_with_its_units(key, options, what):
    found = judged(key, f"--account={SLURM[key].policy.sample_account}", *options.split())
    assert what in [each["what"] for each in found["findings"] if each["kind"] in ("refused", "doubtful")]


def test_what_one_of_the_partitions_takes_is_not_refused_where_none_is_named():
    found = judged("lumi", "--account=project_462000123", "--gpus=64", "--time=60")
    assert told(found["findings"]) == {"no-partition"}


def test_a_value_that_a_later_one_replaces_is_not_told():
    assert told(judged("kestrel", "--account=mine", "--time=99-0", "--time=abc")["findings"]) == {"time-form"}


def faulty(cluster: Cluster, draw: random.Random) -> str:
    """A script with an option on each line: some misspelt, some with values that are wrong or past any limit."""
    said = options(cluster, draw, wrong=0.1)
    for name in [name for name, value in said.items() if (value or "").isdecimal() and draw.random() < 0.35]:
        said[name] += "000"
    if draw.random() < 0.3:
        del said[draw.choice(list(said))]
    words = [f"--{name}{'x' * (draw.random() < 0.03)}" + ("" if it is None else f"={it}") for name, it in said.items()]
    return "\n".join(["#!/bin/bash", *(f"#SBATCH {word}" for word in words), "srun ./a", ""])


@cache
def drawn(key: str) -> list[tuple[str, dict]]:
    """Random scripts with several faults that the engine judges, and its decision."""
    draw = random.Random(f"faults {key}")
    made = [faulty(SLURM[key], draw) for _ in range(3 * DRAWN)]
    decided = ask("decide", [SLURM[key]], [[key, text] for text in made])
    return [pair for pair in zip(made, decided, strict=True) if pair[1]["verdict"] != "not judged"][:DRAWN]


@pytest.mark.parametrize("key", SLURM)
def test_the_engine_decides_on_random_faults_as_the_scheduler(key):
    assert len(drawn(key)) == DRAWN
    assert compare(twins.twin(SLURM[key]), [text for text, _ in drawn(key)]).differences == []


def test_random_scripts_have_several_faults():
    several = [len(told(decided["findings"])) > 1 for key in SLURM for _, decided in drawn(key)]
    assert sum(several) > len(several) / 2


def test_what_is_told_of_random_scripts_is_refused_however_the_rest_is_put_right():
    """By the scheduler: each option past a limit, where all else that is told is in words that the system accepts."""
    refused = [answer for cluster in SLURM.values() for answer in still_refused(cluster)]
    assert len(refused) > 90 and sum(refused) >= 0.97 * len(refused)


def still_refused(cluster: Cluster) -> list[bool]:
    """Of each option that is told to be past a limit."""
    texts = [
        other
        for text, decided in drawn(cluster.key)
        for fault in decided["findings"]
        if fault["kind"] in ("refused", "doubtful") and fault.get("limit") and fault.get("option")
        if (other := put_right(cluster, text, decided["findings"], fault))
    ]
    return [not answer.accepted for answer in ask_many(twins.twin(cluster), texts)]


def put_right(cluster: Cluster, text: str, findings: list[dict], kept: dict) -> str:
    """The script in which all but one fault is right; each option has its own line.

    "" where a GPU or a partition is at fault besides: other nodes have more cores and memory; or an option that the
    kept fault comes of, too.
    """
    lines = text.split("\n")
    named = re.search(r"--partition=(\S+)", text)
    partition = cluster.partitions.get(named[1]) if named else None
    least = int(partition.min_time.minutes) if partition and partition.min_time else 1
    nodes = (partition and partition.min_nodes) or 1
    right = {"account": cluster.policy.sample_account, "time": least, "nodes": nodes}
    beside = {int(line) for line in re.findall(r"\(line (\d+)\)", kept["what"])}
    for fault in findings:
        option = re.match(r"--([\w-]+)", fault.get("option") or "")
        name = option[1] if option else fault["rule"].removeprefix("no-")
        if fault["line"] == kept["line"] and option:
            continue
        if name in ("partition", "gpu-model", *GPU_OPTIONS) or fault["line"] in beside:
            return ""
        directive = f"#SBATCH --{name}={right[name]}" if name in right else "#"
        if option:
            lines[fault["line"] - 1] = directive
        else:
            lines.insert(len(lines) - 2, directive)  # below all others, so that no line has another number
    return "\n".join(lines)
