"""What a twin that keeps accounts reads beside the default twin's files, written from the facts.

The accounts are those of the facts' sample and forms, and `GRANTED`, which alone may use partitions that are not open
to everybody. Limits of limits.yml that name a `qos:` word are kept by Slurm's database in place of the plugin: those of
a partition by a QOS of the partition. A job past one is refused at once (DenyOnLimit).
"""

from pathlib import Path

from pydantic import BaseModel

from scripts.facts import Cluster, Partition
from scripts.facts.limits import Group, limits
from scripts.twin.home import user

NO_SAMPLE = "users"  # the account of systems that publish none
GRANTED = "granted"  # whoever has it has been let into partitions that are not open to everybody
NORMAL = "normal"  # the QOS of a job that names none; every database has it

# OverMemoryKill asks how much a job has each second: cgroups, which kill at once, are not everywhere ours to make.
SLURM_CONF = """AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={folder}/munge.socket
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
"""
SLURMDBD_CONF = """AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdPort={port}
SlurmUser={user}
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser={user}
StorageLoc=accounts
CommunicationParameters=NoInAddrAny
"""


def accounts(cluster: Cluster) -> list[str]:
    """The accounts that whoever uses the twin has, the default first."""
    policy = cluster.policy
    sample = policy.sample_account or NO_SAMPLE
    own = sample.rpartition("-")[2]
    forms = [form.replace("*", own) for form in policy.account_forms if "#" not in form]
    allocated = [begin + own for begin in policy.allocation_accounts if not any(f.startswith(begin) for f in forms)]
    names = dict.fromkeys([sample, *forms, *allocated])
    return [*names, *(name + ending for name in names for ending in policy.account_endings), GRANTED]


def partition_qos(key: str) -> str:
    return f"part-{key}".lower()


def of_partitions(cluster: Cluster) -> dict[str, dict[str, str]]:
    """What the lines of slurm.conf say of each partition beside the limits."""
    return {
        key: {"QOS": partition_qos(key)} | ({"AllowAccounts": GRANTED} if p.access else {})
        for key, p in cluster.partitions.items()
    }


def _words(group: Group, part: BaseModel) -> list[str]:
    """A part's limits in sacctmgr's words: of two fewest the larger."""
    found = {}
    for _, row, number in limits(group, part):
        if row.qos:
            found[row.qos] = max(number, found.get(row.qos, 0))
    return [f"{word}={number}" for word, number in found.items()]


def _of_partition(p: Partition) -> list[str]:
    running = [f"MaxJobsPerUser={p.max_running_jobs}"] if p.max_running_jobs else []
    return _words("partitions", p) + running


def sacctmgr(cluster: Cluster, owner: str | None = None) -> str:
    """The commands that fill the database, a line each."""
    strict = "Flags=DenyOnLimit"
    qos = {name: _words("qos", each) for name, each in cluster.qos.items()}
    normal = [*qos.pop(NORMAL, []), *_words("policy", cluster.policy)]
    lines = [f"add cluster {cluster.key}", f"modify qos {NORMAL} set {' '.join([strict, *normal])}"]
    named = qos | {partition_qos(key): _of_partition(p) for key, p in cluster.partitions.items()}
    lines += [" ".join(["add qos", name, strict, *words]) for name, words in named.items()]
    first, *_ = names = accounts(cluster)
    lines.append(f"add account {','.join(names)} cluster={cluster.key}")
    of_user = f"account={','.join(names)} DefaultAccount={first} QOS={','.join([NORMAL, *qos])} DefaultQOS={NORMAL}"
    lines.append(f"add user {owner or user()} {of_user}")
    return "\n".join(lines) + "\n"


def slurmdbd_conf(folder: Path, port: int) -> str:
    return SLURMDBD_CONF.format(folder=folder, port=port, user=user())
