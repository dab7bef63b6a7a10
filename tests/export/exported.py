"""What `guide export` writes of each system that runs jobs, and what the engine says of a job."""

from functools import cache

from scripts.engine.ask import ask
from scripts.export.__main__ import TARGETS
from scripts.facts import Cluster
from tests.clusters import RUNNING


@cache
def files(key: str, tool: str) -> dict[str, str]:
    return TARGETS[tool](RUNNING[key])


def verdict(cluster: Cluster, *options: str) -> str:
    """Slurm's, of a job with these options, by the engine; the account is the placeholder, where there is one."""
    account = [f"--account={name}"] if (name := cluster.policy.sample_account) else []
    text = "\n".join(["#!/bin/bash", *(f"#SBATCH {option}" for option in [*account, *options] if option), "true\n"])
    (found,) = ask("slurm", [cluster], [[cluster.key, text]])
    return found["verdict"]
