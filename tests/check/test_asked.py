"""What the scheduler understood comes back from the twin, whatever the form in which it was asked for."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from scripts.check.asked import UNLIMITED, Asked, GpuRequest, _tres, asked
from scripts.facts import load_all
from tests.twin import kept as twins

CLUSTERS = load_all()
HEAD = "#!/bin/bash\n#SBATCH --account=project_2001234 "


def ask(key: str, text: str) -> Asked:
    twins.need_scheduler(CLUSTERS[key].scheduler.kind)
    return asked(CLUSTERS[key], text.encode())


@pytest.mark.parametrize(
    "options, understood",
    [
        ("-p gpu --gres=gpu:v100:2", {"gpus": (GpuRequest("v100", "node", 2),), "gpus_total": 2, "gpus_per_node": 2}),
        ("-p gpu -N2 --gpus-per-node=v100:2", {"gpus_total": 4, "gpus_per_node": 2, "nodes": 2}),
        ("-p gpu -n3 --gpus-per-task=v100:1", {"gpus": (GpuRequest("v100", "task", 1),), "gpus_total": 3, "tasks": 3}),
        ("-p gpu -n3 --gpus-per-node=v100", {"gpus": (GpuRequest("v100", "node", 1),), "gpus_total": 1, "tasks": 3}),
        ("-p gpu -G v100:4", {"gpus": (GpuRequest("v100", "job", 4),), "gpus_total": 4}),
        ("-p gpu --gres=gpu:v100:1 --cpus-per-gpu=3 --mem-per-gpu=2G", {"cores": 3, "memory_per_gpu": 2048}),
        ("-p small -n 2 -c 4 --mem=3G", {"tasks": 2, "cpus_per_task": 4, "cores": 8, "memory_per_node": 3072}),
        ("-p small --mem-per-cpu=1000 -t 1-1", {"memory_per_cpu": 1000, "time_limit": 1500}),
        ("-p large -N2-4 --ntasks-per-node=3", {"nodes": 2, "max_nodes": 4, "tasks_per_node": 3}),
        ("-p small -t 0", {"time_limit": UNLIMITED}),
        ("-p small --mem=0 --exclusive", {"memory_per_node": 0, "exclusive": True}),
        ("-p small --array=1-9%2 -J 'two words'", {"array": "1-9%2", "name": "two words"}),
        ("-p small -d singleton --export=NONE", {"dependency": "singleton"}),
        ("-p small --export=A=1 --mail-user=a@b.c", {"mail_user": "a@b.c", "time_limit": None, "gpus": ()}),
    ],
)
def test_slurm_says_what_it_understood(options, understood):
    job = ask("puhti", f"{HEAD}{options}\ntrue\n").job
    assert {name: getattr(job, name) for name in understood} == understood


def test_a_model_without_a_number_is_one_gpu_for_each_task_or_none():
    """Slurm 22.05 takes it for one; from 24.05 on sbatch drops it, as the rule gpus-per-task-without-number says."""
    job = ask("puhti", f"{HEAD}-p gpu -n3 --gpus-per-task=v100\ntrue\n").job
    old = twins.version("slurm").startswith("Slurm 22.05")
    assert (job.gpus, job.gpus_total, job.tasks) == (((GpuRequest("v100", "task", 1),), 3, 3) if old else ((), 0, 3))


def test_a_refused_job_is_handed_out_too():
    answer = ask("puhti", f"{HEAD}-p gpu -t 99-0 --gres=gpu:v100:1\ntrue\n")
    assert not answer.accepted and answer.job.time_limit == 99 * 1440 and "time limit" in answer.said


def test_what_sbatch_itself_refuses_has_no_job():
    answer = ask("puhti", f"{HEAD}--nonsense\ntrue\n")
    assert not answer.accepted and answer.jobs == () and answer.job.partition is None


def test_each_component_of_a_heterogeneous_job_is_handed_out():
    text = f"{HEAD}-p gpu --gres=gpu:v100:2\n#SBATCH hetjob\n#SBATCH -A x -p small -c 8\ntrue\n"
    assert [(job.partition, job.gpus_total, job.cpus_per_task) for job in ask("puhti", text).jobs] == [
        ("gpu", 2, None),
        ("small", 0, 8),
    ]


def test_where_a_job_goes_that_names_no_partition():
    job = ask("kestrel", "#!/bin/bash\n#SBATCH -A x -t 0:10:0 -N1\ntrue\n").job
    assert job.partition is None and job.routed in CLUSTERS["kestrel"].partitions


def test_grid_engine_says_what_it_understood():
    answer = ask("arc4", "#!/bin/bash\n#$ -l h_rt=1:30:0 -l h_vmem=2G,coproc_v100=1\n#$ -pe smp 10 -N name\ntrue\n")
    job = answer.job
    assert answer.accepted
    assert (job.time_limit, job.memory_per_cpu, job.cores, job.gpus_total) == (90, 2048, 10, 1)
    assert job.name == "name"


def test_many_ask_one_twin_and_each_hears_of_its_own_job():
    ask("puhti", f"{HEAD}-p small\ntrue\n")
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda n: ask("puhti", f"{HEAD}-p small -t {n}\ntrue\n").job.time_limit, range(1, 65)))
    assert found == list(range(1, 65))


@pytest.mark.parametrize(
    "text", ["gres:gpu:v100:2,gres:nvme:3", "gres/gpu:v100:2,gres/nvme:3", "gres/gpu:v100=2,gres/nvme=3"]
)
def test_every_versions_way_to_write_what_is_asked_for(text):
    assert _tres(text) == [("gres/gpu:v100", 2), ("gres/nvme", 3)]
