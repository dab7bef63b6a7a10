"""What the facts may say, or leave out, makes a working twin, or one sentence: never a traceback."""

import pytest

from scripts.errors import BadInput
from scripts.facts import Cluster, Rule, load_all
from scripts.facts.units import Walltime
from scripts.twin import twin_of
from scripts.twin.slurm.conf import partition_words
from tests.twin import kept

CLUSTERS = load_all()


def changed(cluster: Cluster, part: str, key: str, **values: object) -> Cluster:
    """The cluster with another value in one of its parts, as in `partitions.gpu.max_time`."""
    parts = getattr(cluster, part)
    return cluster.model_copy(update={part: parts | {key: parts[key].model_copy(update=values)}})


def policy(cluster: Cluster, **rules: Rule) -> Cluster:
    values = {name: getattr(cluster.policy, name).model_copy(update={"rule": rule}) for name, rule in rules.items()}
    return cluster.model_copy(update={"policy": cluster.policy.model_copy(update=values)})


def test_the_default_memory_of_a_core_is_that_of_its_two_threads():
    small = CLUSTERS["lumi"].partitions["small"]
    assert 2 * partition_words(CLUSTERS["lumi"], small)["DefMemPerCPU"] == small.default_memory_per_core.mib


@pytest.fixture
def twin(short):
    """Makes a twin that ends with the test."""
    made = []

    def make(cluster: Cluster):
        kept.need_scheduler(cluster.scheduler.kind)
        made.append(twin_of(cluster, short))
        return made[-1]

    yield make
    for each in made:
        each.stop()


def accepts(twin, *options: str) -> bool:
    command = (
        ["sbatch", "--test-only", "--wrap=true"]
        if twin.cluster.scheduler.kind == "slurm"
        else ["qsub", "-w", "v", "-b", "y"]
    )
    last = [] if twin.cluster.scheduler.kind == "slurm" else ["true"]
    return twin.verdict([*command, *options, *last]).returncode == 0


ACCOUNT = "--account=project_2001234"


def test_a_gpu_without_a_name_for_the_scheduler(twin):
    """`gres:` is optional; the GPU is then asked for without a type."""
    puhti = changed(policy(CLUSTERS["puhti"], gpu_model=Rule.OPTIONAL), "gpus", "v100", gres=None)
    here = twin(puhti)
    assert accepts(here, ACCOUNT, "--partition=gpu", "--time=10", "--gres=gpu:4")
    assert not accepts(here, ACCOUNT, "--partition=gpu", "--time=10", "--gres=gpu:5")


def test_a_gpu_of_grid_engine_without_a_name(twin):
    arc4 = CLUSTERS["arc4"]
    for name in arc4.gpus:
        arc4 = changed(arc4, "gpus", name, gres=None)
    here = twin(arc4)
    assert accepts(here, "-l", "h_rt=1:0:0")
    assert not accepts(here, "-l", "h_rt=1:0:0,coproc_v100=1")


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_nodes_of_which_nothing_is_published(twin, key):
    cluster = CLUSTERS[key]
    for name in cluster.node_types:
        cluster = changed(cluster, "node_types", name, count=None, cores=None, memory=None)
    here = twin(cluster)
    if key == "puhti":
        assert accepts(
            here, ACCOUNT, "--partition=gpu", "--time=10", "--gres=gpu:v100:1", "--mem=900G", "--cpus-per-task=128"
        )
    else:
        assert accepts(here, "-l", "h_rt=1:0:0,h_vmem=10G", "-pe", "smp", "128")


def test_two_queues_with_limits_of_their_own(twin):
    arc4 = changed(CLUSTERS["arc4"], "node_types", "standard", default=False)
    ((name, first),) = arc4.partitions.items()
    *_, other = arc4.node_types
    second = first.model_copy(update={"node_types": [other], "max_time": Walltime("4-00:00:00")})
    here = twin(arc4.model_copy(update={"partitions": {name: first, "himem.q": second}}))
    assert not accepts(here, "-l", "h_rt=72:0:0", "-q", name)
    assert accepts(here, "-l", "h_rt=72:0:0", "-q", "himem.q") and accepts(here, "-l", "h_rt=72:0:0")
    assert not accepts(here, "-l", "h_rt=97:0:0")


def test_a_queue_without_a_published_time_limit(twin):
    arc4 = CLUSTERS["arc4"]
    ((name, _),) = arc4.partitions.items()
    assert accepts(twin(changed(arc4, "partitions", name, max_time=None)), "-l", "h_rt=9999:0:0")


def test_a_partition_left_out_whose_time_limit_is_not_published(twin):
    puhti = policy(CLUSTERS["puhti"], partition=Rule.LEAVE_OUT)
    here = twin(changed(puhti, "partitions", "gpu", max_time=None))
    assert accepts(here, ACCOUNT, "--time=30-00:00:00", "--gres=gpu:v100:1")
    assert accepts(here, ACCOUNT, "--time=10", "--gres=gpu:v100:1")
    assert accepts(here, ACCOUNT, "--gres=gpu:v100:1") is (puhti.policy.time.rule is not Rule.REQUIRED)


def test_a_slice_whose_gpu_is_in_no_node(twin):
    mahti = CLUSTERS["mahti"]
    name = next(name for name, gpu in mahti.gpus.items() if gpu.slice_of)
    lost = mahti.model_copy(
        update={"gpus": mahti.gpus | {"lost": mahti.gpus[name].model_copy(update={"slice_of": "nowhere"})}}
    )
    with pytest.raises(BadInput, match="snippets/mahti/cluster.yml: no node type has a `nowhere`.*its slice `lost`"):
        twin(lost).start()


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_a_cluster_without_partitions(twin, key):
    with pytest.raises(BadInput, match=f"snippets/{key}/cluster.yml: no partition is listed"):
        twin(CLUSTERS[key].model_copy(update={"partitions": {}})).start()
