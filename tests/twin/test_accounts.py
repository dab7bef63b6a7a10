"""Twins that keep accounts: what is written for them, by day; what they say and do, by night."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.check.findings import check
from scripts.errors import BadInput
from scripts.facts import Cluster, load_all
from scripts.facts.limits import rows
from scripts.twin import twin_of
from scripts.twin.daemon import AS_TEXT
from scripts.twin.login import job_folders
from scripts.twin.slurm import conf
from scripts.twin.slurm.accounts import GRANTED, accounts, of_partitions, sacctmgr
from scripts.twin.slurm.conf import slurm_conf
from scripts.twin.slurm.policy import rules
from scripts.twin.slurm.with_accounts import AccountsTwin
from tests.clusters import SLURM
from tests.snippets.sandbox import ROOT
from tests.twin import kept
from tests.twin.every_pair import pairs
from tests.twin.many import ask_many
from tests.twin.pairs import TIME, Options, Pair, script

POLICY = "Job violates accounting/QOS policy"
ACCOUNT = "Invalid account or account/partition combination specified"


def lines_of(key: str) -> list[str]:
    return sacctmgr(SLURM[key], "me").splitlines()


def test_the_database_is_filled_from_the_facts():
    kestrel, lumi = lines_of("kestrel"), lines_of("lumi")
    assert "add qos standby Flags=DenyOnLimit MaxWall=1440" in kestrel
    assert "add qos part-debug-gpu Flags=DenyOnLimit MaxTRESPerJob=gres/gpu=4 MaxSubmitJobsPerUser=1" in kestrel
    assert "add qos part-standard-g Flags=DenyOnLimit MaxSubmitJobsPerUser=210 MaxJobsPerUser=200" in lumi
    given = "account=myproject,granted DefaultAccount=myproject QOS=normal,high,standby DefaultQOS=normal"
    assert kestrel[-1] == f"add user me {given}"
    assert "modify qos normal set Flags=DenyOnLimit MaxSubmitJobsPerUser=1000" in lines_of("narval")


def test_of_two_fewest_the_larger_counts_and_slurm_has_small_letters():
    kestrel = SLURM["kestrel"]
    both = kestrel.partitions["debug-gpu"].model_copy(update={"min_gpus": 2, "gpu_required": True})
    text = sacctmgr(kestrel.model_copy(update={"partitions": {"Big": both}}), "me")
    assert re.search("add qos part-big Flags=DenyOnLimit .*MinTRESPerJob=gres/gpu=2 ", text)


@pytest.mark.parametrize("key", SLURM)
def test_each_node_that_can_live_has_its_port_and_its_gpus_their_files(key):
    cluster, folder = SLURM[key], Path("/twin")
    text = slurm_conf(cluster, folder, 100, "me")
    ports = [int(port) for port in re.findall(r"NodeHostname=localhost Port=(\d+)", text)]
    assert len(ports) == len(set(ports)) and 100 < min(ports) <= max(ports) <= 100 + conf.living_nodes(cluster)
    nodes = re.findall(r"NodeName=(\S+-(\d{5})) NodeAddr(.*)", text)
    assert set(conf.first_nodes(cluster, 2)) == {name for name, at, has in nodes if int(at) <= 1 + ("gpu:" in has)}
    files = re.findall(rf"File={folder}/gpu\[\d+-(\d+)\]", conf.gres_conf(cluster, folder))
    assert conf.device_files(cluster) == max((int(last) + 1 for last in files), default=0)


@pytest.mark.parametrize(
    "version, named", [("22.05.8", False), ("23.02.7", False), ("23.11.0", True), ("24.05.1", True)]
)
def test_newer_slurm_is_told_to_use_no_cgroups(version, named, short, monkeypatch):
    monkeypatch.setattr(AccountsTwin, "version", lambda self: f"Slurm {version}")
    assert ("cgroup.conf" in twin_of(SLURM["kestrel"], short, accounts=True).files()) is named


@pytest.mark.parametrize("key", SLURM)
def test_a_job_has_the_folders_that_end_with_it(key):
    kept = {place.path[1:]: place.kept for place in SLURM[key].storage if re.fullmatch(r"\$\w+", place.path)}
    own = {name for name, until in kept.items() if until == "until the job ends"}
    assert job_folders(SLURM[key]) == own | {"SLURM_TMPDIR"}


def test_accounts_are_those_of_the_facts():
    assert accounts(SLURM["lumi"]) == ["project_462000123", GRANTED]
    assert set(accounts(SLURM["narval"])) >= {"def-myself", "def-myself_gpu", "rrg-myself", "rrg-myself_gpu", GRANTED}
    for cluster in SLURM.values():
        own = [name for name in accounts(cluster) if name != GRANTED]
        assert own and all(cluster.policy.has_form(name) for name in own if cluster.policy.account_forms)


@pytest.mark.parametrize("key", SLURM)
def test_who_may_use_a_partition(key):
    closed = {name for name, words in of_partitions(SLURM[key]).items() if words.get("AllowAccounts") == GRANTED}
    assert closed == {name for name, p in SLURM[key].partitions.items() if p.access}


def test_what_the_database_keeps_the_plugin_leaves_to_it():
    def only(accounts: bool) -> dict[str, str | None]:
        found = rules(SLURM["kestrel"], accounts)["partitions"]["debug-gpu"]["limits"]
        return {each["quantity"]: each["only"] for each in found}

    of_slurm = dict.fromkeys(["nodes", "minutes"], "several_partitions")
    assert only(False) == of_slurm | dict.fromkeys(["gpus", "cores", "exclusive", "jobs"])
    assert only(True) == only(False) | dict.fromkeys(["gpus", "jobs"], "several_partitions")


def test_only_slurm_keeps_accounts():
    with pytest.raises(BadInput, match="only simulated Slurm keeps accounts"):
        twin_of(load_all()["arc4"], accounts=True)


@pytest.mark.parametrize("package", kept.PACKAGES["accounts"])
def test_without_the_database_it_says_what_to_install(short, monkeypatch, package):
    twin = twin_of(SLURM["kestrel"], short, accounts=True)
    monkeypatch.setattr(twin, "programs", {package: short / "nothing"})
    with pytest.raises(BadInput, match=f"Install Debian's {package}"):
        twin.start()
    assert list(short.iterdir()) == []


@pytest.fixture
def with_accounts(short, request) -> AccountsTwin:
    kept.need_scheduler("slurm")
    kept.need_scheduler("accounts")
    twin = twin_of(SLURM[request.param], short, accounts=True)
    yield twin
    twin.stop()


def of_the_twin(cluster: Cluster, options: Options) -> Options:
    """With an account that the twin knows, and that may use the partition."""
    p = cluster.partitions.get(str(options.get("partition")))
    given, own = str(options.get("account", "")), accounts(cluster)
    alike = next((name for name in own if name.partition("-")[0] == given.partition("-")[0]), given)
    return options | ({"account": GRANTED if p and p.access else alike} if given else {})


def reasons(pair: Pair) -> list[str]:
    """What the twin may say past a limit. Behind a route, and what else is no limit, may be one of a QOS."""
    group, name = pair.limit.partition(".")[0], pair.limit.rpartition(".")[2]
    row = rows(group if group in ("gpus", "qos", "policy") else "partitions").get(name)
    if group == "qos":  # the partition that a QOS moves a job to may be as strict
        return [POLICY, TIME]
    if row and row.qos:  # a slice too many is the plugin's business
        return [POLICY, rows("policy")["slices_per_job"].refusal]
    return [pair.reason] if row else [pair.reason, POLICY]


@pytest.mark.nightly
@pytest.mark.parametrize("with_accounts", SLURM, indirect=True)
def test_every_limit_is_kept_and_the_guides_scripts_are_taken(with_accounts):
    twin = with_accounts
    cluster, found = twin.cluster, pairs(twin.cluster)
    jobs = [script(cluster, of_the_twin(cluster, options)) for pair in found for options in (pair.at, pair.past)]
    answers = ask_many(twin, jobs)
    wrong = []
    for pair, at, past in zip(found, answers[::2], answers[1::2], strict=True):
        if not at.accepted or past.accepted or not any(reason in past.said for reason in reasons(pair)):
            wrong.append((pair, at.said, past.said))
    assert found and wrong == [], "\n\n".join(map(str, wrong))
    own = sorted((ROOT / "snippets" / cluster.key).glob("*.sh"))
    texts = [path.read_text(encoding="utf-8") for path in own]
    jobs = [text for text in texts if "#SBATCH" in text]
    refused = [each.said for each in ask_many(twin, jobs) if not each.accepted]
    assert jobs and refused == []


# What each job is told. `vto` is for some projects only, and no standby partition stands beside it.
VERDICTS = {
    "--account=myproject": None,
    "--account=nobody": ACCOUNT,
    "--account=myproject --qos=high": None,
    "--account=myproject --qos=nosuch": "Invalid qos specification",
    "--account=myproject --qos=part-debug": "Invalid qos specification",
    "--account=granted --partition=vto --gpus=1": None,
    "--account=myproject --partition=vto --gpus=1": ACCOUNT,
    "--account=granted --partition=vto --gpus=1 --qos=standby --time=1441": "QOSMaxWallDurationPerJobLimit",
    "--account=myproject --partition=debug-gpu --nodes=2 --gpus=4": None,
    "--account=myproject --partition=debug-gpu --nodes=2 --gpus=5": "QOSMaxGRESPerJob",
    "--account=myproject --partition=debug --array=1-2": "QOSMaxSubmitJobPerUserLimit",
}


@pytest.mark.nightly
@pytest.mark.parametrize("with_accounts", ["kestrel"], indirect=True)
def test_accounts_and_qos_are_judged_and_memory_is_watched(with_accounts, tmp_path, monkeypatch):
    twin = with_accounts
    jobs = [f"#!/bin/bash\n#SBATCH --time=10 --mem=1G {options}\ntrue\n" for options in VERDICTS]
    for (options, reason), answer in zip(VERDICTS.items(), ask_many(twin, jobs), strict=True):
        assert answer.accepted is (reason is None) and (reason or "") in answer.said, (options, answer.said)

    monkeypatch.setattr("scripts.check.scheduler.twin_of", lambda cluster, accounts: twin if accounts else None)
    closed = next(job for job in jobs if "--account=myproject --partition=vto" in job)
    [reports] = check(twin.cluster, [("job.sh", closed.encode())], accounts=True)
    said = f"Kestrel's simulated scheduler rejects this script: {ACCOUNT}."
    assert said in [each.what for each in reports if each.kind == "refused"]

    # A teacher sets a budget.
    budget = "modify account myproject set GrpTRES=gres/gpu=2"
    assert twin.run(["sacctmgr", "--immediate", *budget.split()], **AS_TEXT).returncode == 0
    words = "--account=myproject --partition=gpu-h100 --time=9 --mem=1G --output=/dev/null --wrap=true".split()
    within, beyond = (twin.run(["sbatch", *words, f"--gpus={number}"], **AS_TEXT) for number in (2, 3))
    assert within.returncode == 0 and "AssocGrpGRES" in beyond.stderr and POLICY in beyond.stderr

    script = tmp_path / "job.sh"
    script.write_text(TOO_MUCH, encoding="utf-8")
    assert twin.run_to_end(script, tmp_path).returncode != 0
    columns = "--format=JobID,Partition,State,ExitCode,Elapsed,Timelimit,ReqMem,MaxRSS,AllocCPUS"
    for _ in range(100):  # slurmctld tells the database a little later
        listing = twin.run(["sacct", "--parsable2", "--name=too-much", columns], **AS_TEXT).stdout
        if "RUNNING" not in listing and len(listing.splitlines()) > 2:
            break
        time.sleep(0.1)
    assert "|short|OUT_OF_MEMORY|0:125|" in listing.splitlines()[1]
    explain = [sys.executable, "-m", "scripts.engine", "explain", "kestrel", "--script", script, "-"]
    told = subprocess.run(explain, input=listing, cwd=ROOT, **AS_TEXT).stdout
    assert told.startswith("The job ran out of host memory.") and "Next: --mem=" in told


TOO_MUCH = """#!/bin/bash
#SBATCH --account=myproject --job-name=too-much --time=5 --mem=200M
/usr/bin/python3 -c "
import time
kept = bytearray(600_000_000)
time.sleep(60)"
"""
