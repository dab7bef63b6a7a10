"""What stands for `one_gpu.sh` and `many_cpus.sh` of a system that has no scripts yet: what its facts alone say.

The form, the mover and the explainer begin with these two scripts. In a collection that has nothing but facts they are
written here; as soon as a system has its own, those count.
"""

from scripts.facts import Cluster, NodeType, Partition, Rule

LEFT_OUT = (Rule.LEAVE_OUT, Rule.IGNORED)
FEW_CORES = 4  # of a node whose cores nobody publishes


def first_script(cluster: Cluster, name: str) -> str | None:
    """The text of `one_gpu` or `many_cpus`; None of all other names, and where the form writes no scripts."""
    if name not in ("one_gpu", "many_cpus") or cluster.scheduler.kind != "slurm":
        return None
    gpu = next(iter(cluster.gpus), None) if name == "one_gpu" else None
    device = "gpu" if name == "one_gpu" else "cpu"
    setup, start = _software(cluster, device)
    lines = [
        "#!/bin/bash -l",
        *(f"#SBATCH {option}" for option in _asked(cluster, gpu)),
        "",
        "set -euo pipefail",
        *setup,
        'export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"',
        *([] if gpu else ['export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"']),
        "",
        *([f"srun {start}check_gpu.py --expect 1"] if gpu else []),
        "# Put your own program here:",
        f"srun {start}matmul.py --device {device}",
    ]
    return "\n".join(lines) + "\n"


def _asked(cluster: Cluster, gpu: str | None) -> list[str]:
    """The options: a GPU's share of its node, or half of a node without GPUs; all of it where nodes are not shared."""
    policy, (room, node) = cluster.policy, _room(cluster, gpu)
    part = (node and gpu and node.gpus.get(gpu)) or (1 if room and cluster.partitions[room].exclusive else 2)
    share = cluster.gpus[gpu].fair_share if gpu else None
    cores = (share and share.cores) or max(1, (node and node.cores or FEW_CORES * part) // part)
    memory = (share and share.memory) or (node and node.memory)
    gib = memory and int(memory.mib / 1024 / (1 if share and share.memory else part))
    rule = policy.memory.gpu_jobs if gpu and policy.memory.gpu_jobs else policy.memory.rule
    where = policy.partition.gpu_jobs if gpu and policy.partition.gpu_jobs else policy.partition.rule
    options = {
        "job-name": "one-gpu" if gpu else "many-cpus",
        "account": policy.sample_account if policy.account.rule not in LEFT_OUT else None,
        "partition": room and (cluster.partitions[room].name or room) if where not in LEFT_OUT else None,
        "nodes": 1,
        "ntasks": 1,
        "cpus-per-task": cores,
        "mem": f"{gib}G" if gib and rule not in LEFT_OUT else None,
    }
    asked = [f"--{name}={value}" for name, value in options.items() if value]
    return [*asked, *([cluster.gpus[gpu].request] if gpu else []), "--time=00:15:00", "--output=%x-%j.out"]


def _room(cluster: Cluster, gpu: str | None) -> tuple[str | None, NodeType | None]:
    """The partition that is open to everybody and takes the longest jobs, the default before all; and a node of it."""

    def order(room: Partition) -> tuple:
        return room.default, bool(room.max_time is None), room.max_time.minutes if room.max_time else 0

    kinds = {gpu, cluster.gpus[gpu].slice_of} if gpu else set()
    found = [
        (order(room), name, cluster.node_types[kind])
        for name, room in cluster.partitions.items()
        if not room.access and not room.purpose
        for kind in room.node_types
        if (kinds & cluster.node_types[kind].gpus.keys() if gpu else not cluster.node_types[kind].gpus)
    ]
    _, name, node = max(found, key=lambda each: each[0], default=(None, None, None))
    return name, node


def _software(cluster: Cluster, device: str) -> tuple[list[str], str]:
    """The lines that bring PyTorch, and what stands before a program."""
    own = cluster.software
    missing = own.gpu_modules if device == "cpu" else []
    torch = [name for name in own.modules if "pytorch" in name and not any(each in name for each in missing)][:1]
    load = [f"module use {folder}" for folder in own.module_paths]
    tool = [own.container_module] if own.images and own.container_module else []
    if names := [*own.load_first, *tool, *torch]:
        load.append(f"module load {' '.join(names)}")
    if own.images:
        option = "" if own.container_option == "none" else f"{own.container_option or '--nv'} "
        start = f'{own.container_command or "apptainer"} exec {option}"$image" python3 '
        return [*load, f'image="{own.images[0]}"'], start
    return load if torch else ['export PATH="$HOME/pytorch-gpu/bin:$PATH"'], "python3 "
