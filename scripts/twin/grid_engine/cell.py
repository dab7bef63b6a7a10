"""The cell of a Grid Engine cluster's twin, at its real size, written from the facts.

Each queue of the facts is one here, over the hosts of its node types and of those that no queue lists. What Grid Engine
cannot say is in policy.py.
"""

import os
import socket
from pathlib import Path

from scripts.facts import Cluster, NodeType, Partition
from scripts.twin.home import user

LIBRARY = Path("/usr/lib/gridengine")
SHARE = Path("/usr/share/gridengine")

LIVING = "localhost"  # Grid Engine compares a daemon's name with that of its address

BOOTSTRAP = """admin_user {admin}
default_domain none
ignore_fqdn false
spooling_method classic
spooling_lib libspoolc
spooling_params {folder}/cell/common;{folder}/spool
binary_path {library}
qmaster_spool_dir {folder}/spool
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
"""

CONFIGURATION = {
    "execd_spool_dir": "{folder}/execd",
    "min_uid": "0",
    "min_gid": "0",
    "mailer": "/bin/true",
    "finished_jobs": "0",
    "reporting_params": "accounting=false reporting=false flush_time=00:00:15 joblog=false sharelog=00:00:00",
}

COMPLEX = """name {0}
shortcut {0}
type {1}
relop {2}
requestable YES
consumable {3}
default {4}
urgency 0
"""

HOST = """hostname {name}
load_scaling NONE
complex_values {values}
user_lists NONE
xuser_lists NONE
projects NONE
xprojects NONE
usage_scaling NONE
report_variables NONE
"""

PARALLEL = """pe_name {name}
slots 99999
user_lists NONE
xuser_lists NONE
start_proc_args NONE
stop_proc_args NONE
allocation_rule {rule}
control_slaves TRUE
job_is_first_task TRUE
urgency_slots min
accounting_summary FALSE
qsort_args NONE
"""

QUEUE = """qname {name}
hostlist {hosts}
seq_no 0
load_thresholds NONE
suspend_thresholds NONE
nsuspend 1
suspend_interval 00:05:00
priority 0
min_cpu_interval 00:05:00
processors UNDEFINED
qtype BATCH INTERACTIVE
ckpt_list NONE
pe_list smp ib whole
rerun FALSE
slots {cores}
tmpdir {folder}/tmp
shell /bin/bash
prolog NONE
epilog NONE
shell_start_mode unix_behavior
starter_method {folder}/starter
suspend_method NONE
resume_method NONE
terminate_method NONE
notify 00:00:60
owner_list NONE
user_lists NONE
xuser_lists NONE
subordinate_list NONE
complex_values NONE
projects NONE
xprojects NONE
calendar NONE
initial_state default
{limits}
"""
UNLIMITED = "s_rt s_cpu h_cpu s_fsize h_fsize s_data h_data s_stack h_stack s_core h_core s_rss h_rss s_vmem h_vmem"


def hosts(cluster: Cluster) -> dict[str, tuple[str, NodeType]]:
    """Every node by name: its type's key, and the type. The first has GPUs, and can live, by this machine's name; it is
    the first of the default type too, so that each job without a GPU can run there.
    """
    found: dict[str, tuple[str, NodeType]] = {}
    for key, node in sorted(cluster.node_types.items(), key=lambda item: not item[1].gpus):
        for number in range(2 if node.default and found else 1, node.count + 1):
            found[f"{key}-{number}" if found else LIVING] = key, node
    return found


def offers(cluster: Cluster, node: NodeType, living: bool) -> str:
    """What a node has, as Grid Engine writes it."""
    values = [f"{cluster.gpus[gpu].gres}={number}" for gpu, number in node.gpus.items()]
    default = [name for other in cluster.node_types.values() if other.default for name in other.features]
    values += [f"node_type={name}" for name in (default if living and default else node.features)]
    return ",".join([*values, f"h_vmem={round(node.memory.mib * 2**20)}", f"slots={node.cores}"])


def etc_hosts(cluster: Cluster) -> str:
    """Addresses for those names, on loopback; only the twin's own processes read them."""
    lines = [f"127.0.0.1 localhost {socket.gethostname()}"]
    others = enumerate(name for name in hosts(cluster) if name != LIVING)
    lines += [f"127.0.{2 + place // 250}.{1 + place % 250} {name}" for place, name in others]
    return "\n".join(lines) + "\n"


def types_of(cluster: Cluster, partition: Partition) -> dict[str, NodeType]:
    """The kinds of node in a queue: its own, and those that no queue lists."""
    listed = {key for each in cluster.partitions.values() for key in each.node_types}
    return {key: node for key, node in cluster.node_types.items() if key in partition.node_types or key not in listed}


def queue(cluster: Cluster, name: str, partition: Partition, folder: Path) -> str:
    types = types_of(cluster, partition)
    members = [host for host, (key, _) in hosts(cluster).items() if key in types]
    cores = max(node.cores for node in types.values())
    longest = "INFINITY"
    if partition.max_time:
        hours, minutes = divmod(int(partition.max_time.minutes), 60)
        longest = f"{hours}:{minutes:02}:00"
    limits = "\n".join([f"h_rt {longest}", *(f"{limit} INFINITY" for limit in UNLIMITED.split())])
    return QUEUE.format(name=name, hosts=" ".join(members), cores=cores, limits=limits, folder=folder)


def parallel(cluster: Cluster) -> dict[str, str | int]:
    """The parallel environments, and how each places its slots: on one node, anywhere, or so many on each."""
    return {"smp": "$pe_slots", "ib": "$fill_up", "whole": whole_node(cluster)}


def whole_node(cluster: Cluster) -> int:
    """The cores of the node that a job gets if it names no kind of node; one without GPUs where no fact says so."""
    return min(cluster.node_types.values(), key=lambda node: (not node.default, bool(node.gpus))).cores


def configuration(folder: Path) -> str:
    """Debian's own default, with what must be private to the twin."""
    default = SHARE / "default-configuration"
    text = default.read_text(encoding="utf-8") if default.exists() else ""
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    values = {name: " ".join(rest) for name, *rest in lines}
    values |= {name: value.format(folder=folder) for name, value in CONFIGURATION.items()}
    return "".join(f"{name} {value}\n" for name, value in values.items())


def cell_files(cluster: Cluster, folder: Path, owner: str | None = None) -> dict[str, str]:
    """Path in the twin's folder -> text. `new/` holds what `spooldefaults` and `qconf` take in."""
    default = cluster.policy.default_memory_per_core
    complexes = [(gpu.gres, "INT", "<=", "JOB", 0) for gpu in cluster.gpus.values()]
    complexes.append(("h_vmem", "MEMORY", "<=", "YES", f"{int(default.mib)}M" if default else 0))
    complexes.append(("node_type", "STRING", "==", "NO", "NONE"))
    host, admin = socket.gethostname(), (owner or user()) if os.getuid() else "none"
    return {
        "cell/common/bootstrap": BOOTSTRAP.format(folder=folder, library=LIBRARY, admin=admin),
        "cell/common/host_aliases": f"localhost {host}\n" if host != "localhost" else "",
        "cell/common/act_qmaster": "localhost\n",
        "cell/common/sge_request": f"-jsv {folder}/policy\n",
        "hosts": etc_hosts(cluster),
        "new/configuration": configuration(folder),
        **{f"new/complexes/{name}": COMPLEX.format(name, *rest) for name, *rest in complexes},
        **{
            f"new/hosts/{name}": HOST.format(name=name, values=offers(cluster, node, name == LIVING))
            for name, (_, node) in hosts(cluster).items()
        },
        **{f"new/parallel/{name}": PARALLEL.format(name=name, rule=rule) for name, rule in parallel(cluster).items()},
        **{
            f"new/queues/{name}": queue(cluster, name, partition, folder)
            for name, partition in cluster.partitions.items()
        },
        "new/user": owner or user(),
    }
