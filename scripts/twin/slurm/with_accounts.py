"""The twin that keeps accounts: slurmdbd and a MariaDB of its own, which only the owner can ask by its socket."""

import shutil
import subprocess
from pathlib import Path

from scripts.twin.daemon import AS_TEXT, daemon
from scripts.twin.home import user
from scripts.twin.slurm.accounts import SLURM_CONF, of_partitions, sacctmgr, slurmdbd_conf
from scripts.twin.slurm.conf import slurm_conf
from scripts.twin.slurm.twin import SlurmTwin

# slurmctld does not start without the database. A QOS can limit GPUs once slurmctld has told the database of them: the
# first one does, and then ends, because there is no QOS yet.
START = """#!/bin/bash
for ((try = 0; try < 400; try++)); do
    sacctmgr --noheader list cluster > start.out 2>&1 && break
    sleep 0.05
done
timeout 20 {slurmctld} "$@" > first.out 2>&1
sacctmgr --immediate < accounts > accounts.out 2>&1
{mariadb} --no-defaults --socket=database.socket accounts < out_of_memory.sql >> accounts.out 2>&1
exec {slurmctld} "$@"
"""
OUT_OF_MEMORY = Path(__file__).with_name("out_of_memory.sql").read_text(encoding="utf-8")
TABLES = "m*/m*_system_tables.sql"  # below /usr/share; slurmdbd's procedures lie in one of them
# It lives as long as the twin, and is written anew: nothing of it must outlive a power cut.
SMALL = (
    "--innodb-doublewrite=0",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-log-file-size=8M",
    "--innodb-buffer-pool-size=16M",
)


class AccountsTwin(SlurmTwin):
    programs = SlurmTwin.programs | {
        "slurmdbd": Path(shutil.which("slurmdbd") or "/usr/sbin/slurmdbd"),
        "mariadb-server-core": Path(shutil.which("mariadbd") or "/usr/sbin/mariadbd"),
        "mariadb-client-core": Path(shutil.which("mariadb") or "/usr/bin/mariadb"),
    }
    logs = ("start.out", "accounts.out", "slurmdbd.log", "slurmdbd.out", "mariadbd.out", *SlurmTwin.logs)
    suffix = "-accounts"
    keeps_accounts = True

    def ports(self) -> int:
        return super().ports() + 1

    def with_ports(self, first: int) -> dict[str, str]:
        of_database = first + super().ports()
        conf, more = SLURM_CONF.format(folder=self.folder, port=of_database), of_partitions(self.cluster)
        return {
            "slurm.conf": slurm_conf(self.cluster, self.folder, first, more=conf, of_partitions=more),
            "slurmdbd.conf": slurmdbd_conf(self.folder, of_database),
        }

    def files(self) -> dict[str, str]:
        programs = self.programs
        return super().files() | {
            "accounts": sacctmgr(self.cluster),
            "out_of_memory.sql": OUT_OF_MEMORY.replace("{cluster}", self.cluster.key),
            "start": START.format(slurmctld=programs["slurmctld"], mariadb=programs["mariadb-client-core"]),
        }

    def prepare(self) -> list[int]:
        held = super().prepare()
        (self.folder / "database").mkdir()
        (self.folder / "slurmdbd.conf").chmod(0o600)  # else slurmdbd does not start
        (self.folder / "start").chmod(0o700)
        tables = next(Path("/usr/share").glob(TABLES)).read_text(encoding="utf-8")
        first = "create database mysql;\nuse mysql;\n"
        made = subprocess.run([*self.mariadbd, "--bootstrap"], input=first + tables, **AS_TEXT)
        (self.folder / "mariadbd.out").write_text(made.stderr, encoding="utf-8")
        return held

    def daemons(self) -> dict[str, dict]:
        found, socket = super().daemons(), f"{self.folder}/database.socket"
        slurmctld, slurmd = found.pop("slurmctld"), found.pop("slurmd")
        environment = slurmctld["environment"]
        # whoever reaches the socket may do all: the folder keeps others from it
        database = [*self.mariadbd, f"--socket={socket}", "--skip-networking", "--skip-grant-tables"]
        return {
            **found,
            "mariadbd": daemon(database, environment, socket=socket),
            "slurmdbd": daemon([self.programs["slurmdbd"], "-D"], environment | {"MYSQL_UNIX_PORT": socket}),
            "slurmctld": slurmctld | {"command": [str(self.folder / "start"), *slurmctld["command"][1:]]},
            "slurmd": slurmd,
        }

    @property
    def mariadbd(self) -> list:
        program = self.programs["mariadb-server-core"]
        return [program, "--no-defaults", f"--user={user()}", f"--datadir={self.folder}/database", *SMALL]
