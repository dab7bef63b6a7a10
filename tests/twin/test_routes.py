"""Where a job goes that leaves the choice of its partition to the system."""

import re
from collections.abc import Sequence

import pytest

from tests.clusters import CLUSTERS
from tests.twin import kept
from tests.twin.many import ask_many

# Kestrel's table of partitions says which jobs each one is for; its page on priorities, how to ask for standby.
KESTREL = {
    "--time=4:00:00": "short",
    "--time=4:00:01": "standard",
    "--time=2-00:00:00": "standard",
    "--time=2-00:01:00": "long",
    "--time=1:00:00 --mem=984256M": "short",
    "--time=1:00:00 --mem=984257M": "bigmem",
    "--time=3-00:00:00 --mem=984257M": "bigmeml",
    "--time=1:00:00 --tmp=1700001M": "bigmem",
    "--time=1:00:00 --nodes=1 --ntasks=104 --mem-per-cpu=9000M": "short",
    "--time=1:00:00 --nodes=1 --ntasks=104 --mem-per-cpu=10000M": "bigmem",
    "--time=4:00:00 --gpus=1": "gpu-h100s",
    "--time=2-00:00:00 --gpus=1": "gpu-h100",
    "--time=10-00:00:00 --gpus=1": "gpu-h100l",
    "--time=1-00:00:00 --qos=standby": "standard-stdby",
    "--time=1-00:00:00 --qos=high": "standard",
    "--time=1-00:00:00 --qos=standby --partition=gpu-h100 --gpus=1": "gpu-h100-stdby",
    "--time=3-00:00:00 --partition=hbw --nodes=2": "hbwl",
    "--time=1:00:00 --partition=debug --gpus=1": "debug-gpu",
    "--time=1:00:00 --partition=debug": "debug",
    "--time=1:00:00 --partition=vto --qos=standby --gpus=1": "vto",
    "--time=5:00:00 --partition=debug,shared": "shared",
}
DEFAULTS = {"roihu": "small", "vermilion": "std"}
ALLIANCE = {key: cluster for key, cluster in CLUSTERS.items() if cluster.policy.no_partition}


def where(key: str, asked: Sequence[str]) -> list[str]:
    """The partition of each job, or what is said where there is none."""
    account = f"#SBATCH --account={CLUSTERS[key].policy.sample_account}"
    scripts = [f"#!/bin/bash\n{account} {options}\ntrue\n" for options in asked]
    answers = ask_many(kept.twin(CLUSTERS[key]), scripts)
    return [found[1] if (found := re.search(r"in partition (\S+)", each.said)) else each.said for each in answers]


def test_kestrel_sends_each_job_where_its_table_says():
    assert dict(zip(KESTREL, where("kestrel", [*KESTREL]), strict=True)) == KESTREL


@pytest.mark.parametrize("key", DEFAULTS)
def test_without_a_partition_a_job_goes_to_the_default(key):
    assert where(key, ["--time=10"]) == [DEFAULTS[key]]


@pytest.mark.parametrize("key", ALLIANCE)
def test_the_name_default_is_the_same_as_none(key):
    named, none = where(key, ["--time=10 --partition=default", "--time=10"])
    assert named == none
