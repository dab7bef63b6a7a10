"""The Snakemake profile: its limits are Slurm's, and at night a workflow runs on a twin with it."""

import shutil
import subprocess

import pytest
import yaml

from scripts.export import snakemake
from scripts.facts.units import Walltime
from scripts.paths import ROOT
from tests.export.exported import RUNNING, files, verdict
from tests.needs import leave_out
from tests.run import program
from tests.twin import kept

UNNAMED = {"fir", "narval", "nibi", "rorqual", "trillium"}  # their jobs name no partition
NAMED = [key for key in RUNNING if key not in UNNAMED]


def profile(key: str) -> dict:
    return yaml.safe_load(files(key, "snakemake")["config.yaml"])


def partitions(key: str) -> dict[str, dict]:
    return yaml.safe_load(files(key, "snakemake")[snakemake.LIMITS])["partitions"]


def test_a_workflow_has_a_hundred_jobs_in_the_queue_at_most():
    assert {profile(key)["jobs"] for key in ("fir", "lumi")} == {100}


def test_systems_whose_jobs_name_no_partition_have_no_file_of_limits():
    for key in RUNNING:
        written = files(key, "snakemake")
        assert (snakemake.LIMITS in written) == (snakemake.LIMITS in written["config.yaml"]) == (key in NAMED), key


@pytest.mark.parametrize("key", NAMED)
def test_partition_limits_equal_the_facts(key):
    cluster = RUNNING[key]
    for name, found in partitions(key).items():
        p = cluster.partitions[name]
        nodes = [cluster.node_types[each] for each in p.node_types]
        sizes = [int(node.memory.mib) for node in nodes if node.memory]
        most = [int(p.max_memory_per_node.mib)] if p.max_memory_per_node else []
        assert not (p.access or p.only_for or p.exclusive)
        assert found["max_runtime"] == Walltime(p.max_time).minutes and found.get("max_nodes") == p.max_nodes
        assert found.get("max_mem_mb") == min([*most, *([max(sizes)] if sizes else [])], default=None)
        assert bool(found.get("max_gpu")) == any(node.gpus for node in nodes)


@pytest.mark.parametrize("key", NAMED)
def test_slurm_accepts_a_job_at_each_limit_and_none_past_it(key):
    for name, found in partitions(key).items():
        kind = found.get("available_gpu_models", [""])[0]
        gres = f"--gres=gpu:{kind + ':' if kind else ''}" if found.get("max_gpu") else ""

        def told(minutes=30, cores=1, mib=1000, gpus=1, name=name, gres=gres) -> str:
            asked = [f"-p {name}", f"-t {minutes}", f"-c {cores}", f"--mem={mib}", f"{gres}{gpus}" if gres else ""]
            return verdict(RUNNING[key], *asked)

        threads = RUNNING[key].node_types[RUNNING[key].partitions[name].node_types[0]].threads_per_core
        assert told() == told(minutes=found["max_runtime"]) == "accepted", name
        assert told(minutes=found["max_runtime"] + 1) == "refused", name
        assert "max_mem_mb" not in found or told(mib=found["max_mem_mb"] + 1) == "refused", name
        assert told(cores=found["max_threads"] * threads + 1) == "refused", name
        assert not gres or told(gpus=found["max_gpu"] + 1) == "refused", name


@pytest.mark.parametrize("key", RUNNING)
def test_slurm_accepts_both_kinds_of_rule(key):
    """What the plugin submits, as its submit_string.py writes it: a rule with the defaults, and the one with a GPU."""
    found = profile(key)
    default, gpu = found["default-resources"], found["set-resources"]["my_gpu_rule"]
    assert ("slurm_account" in default) != found.get("slurm-no-account", False)
    for each in (default, default | gpu):
        assert each["mem_mb"] % 1024 == 0, "Slurm's --mem counts in MiB, and the guide's scripts ask for GiB"
        model = f"{each['gpu_model']}:" if "gpu_model" in each else ""
        options = [
            f"-t {each['runtime']}",
            f"--mem={each['mem_mb']}" if each["mem_mb"] else "",
            f"-c {cores}" if (cores := each.get("cpus_per_task", 1)) > 0 else "",
            f"--gres={each['gres']}" if "gres" in each else f"--gpus={model}{each['gpu']}" if "gpu" in each else "",
            f"--constraint={each['constraint']}" if "constraint" in each else "",
        ]
        for name in [n for n in partitions(key) if ("gpu" in n) == (each is not default)][:1] if key in NAMED else [""]:
            assert verdict(RUNNING[key], *options, f"-p {name}" if name else "") == "accepted", options


WORKFLOW = """
rule all:
    input: "gpu.txt"
rule prepare:
    output: "cpu.txt"
    shell: "echo $SLURM_JOB_PARTITION > {output}"
rule my_gpu_rule:
    input: "cpu.txt"
    output: "gpu.txt"
    shell: "echo $SLURM_JOB_PARTITION {resources.gpu_model} > {output}"
"""
QUICK = "--slurm-init-seconds-before-status-checks 2 --seconds-between-status-checks 2 --slurm-status-command squeue"


@pytest.mark.nightly
@pytest.mark.runs
def test_a_workflow_runs_on_a_twin_to_its_end(tmp_path):
    """Real Snakemake, its plugin and real Slurm: two jobs, one with a GPU, in the partitions of the file."""
    own = ROOT / ".venv/snakemake/bin/snakemake"
    tool = own if own.exists() else shutil.which("snakemake") or leave_out("snakemake")
    for name, text in files("kestrel", "snakemake").items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    # The plugin takes SLURM_CONF from its job steps. A cluster has the file in /etc/slurm; the twin's srun is told.
    srun = program(tmp_path / "bin/srun", f'SLURM_CONF="$TWIN_CONF" exec {shutil.which("srun")} "$@"')
    script = f'export TWIN_CONF="$SLURM_CONF" PATH="{srun.parent}:$PATH"; exec {tool} --profile . {QUICK}'
    twin = kept.twin(RUNNING["kestrel"])
    done = twin.run(
        ["bash", "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "cpu.txt").read_text(encoding="utf-8") == "shared\n"
    assert (tmp_path / "gpu.txt").read_text(encoding="utf-8") == "gpu-h100s h100\n"
