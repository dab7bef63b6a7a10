"""What `guide reframe` writes: the scripts as they stand, settings that ReFrame takes, patterns of what pages show."""

import json
import re
import subprocess

import pytest

from scripts.measure.limits import load_limits
from scripts.paths import PROGRAMS, SNIPPETS
from scripts.programs import OMITTED, packages
from scripts.reframe.__main__ import OWN
from scripts.reframe.cases import BROUGHT, LEAST, MARKED, NO_JOBS, prints
from scripts.reframe.folder import OURS, own, write
from scripts.reframe.settings import UNNAMED, partition_name, settings
from tests.needs import leave_out
from tests.reframe.conftest import CLUSTERS
from tests.tiers import by_day

BY_DAY = {"kestrel", "lumi", "arc4"}
SHOWN = sorted(path.stem for path in PROGRAMS.glob("*.out"))


def cases_of(folder) -> dict:
    return json.loads((folder / "cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", by_day(CLUSTERS, BY_DAY))
def test_the_scripts_are_those_of_the_guide(key, suite):
    """Byte for byte; those made of one_gpu.sh differ in the one line that readers change."""
    folder = suite(key)
    assert {path.name for path in folder.iterdir()} == set(OURS)
    mine = {path.name: path.read_bytes() for path in (SNIPPETS / key).glob("*.sh") if path.name != "interactive.sh"}
    written = {path.name: path.read_bytes() for path in (folder / "jobs").iterdir()}
    assert {name: written.get(name) for name in mine} == mine
    one = mine["one_gpu.sh"].decode().splitlines()
    for name in written.keys() - mine.keys():
        program = f"{name.removeprefix('one_gpu-').removesuffix('.sh')}.py"
        lines = written[name].decode().splitlines()
        [changed] = [old for old, new in zip(one, lines, strict=True) if old != new]
        assert lines == [line.replace(MARKED, program) for line in one] and MARKED in changed
        assert set(packages(PROGRAMS / program)) <= BROUGHT, "its environment has no others"
    for program in PROGRAMS.glob("*.py"):
        assert (folder / "programs" / program.name).read_bytes() == program.read_bytes()
    tests = cases_of(folder)
    assert {case["script"] for case in tests["jobs"].values()} == written.keys() - NO_JOBS
    assert bool(tests["validate"]) == ("validate.sh" in mine)


@pytest.mark.nightly
def test_reframe_takes_the_settings_of_every_system(tmp_path):
    """ReFrame itself reads them against its schema, and finds each partition where a test goes."""
    if not OWN.exists():
        leave_out("reframe")
    for key, cluster in CLUSTERS.items():
        write(cluster, tmp_path / key, "squeue" if cluster.scheduler.kind == "slurm" else "sge")
    code = (
        "import json, pathlib, sys\n"
        "from reframe.core import config\n"
        "for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):\n"
        "    site = config.load_config('<builtin>', str(folder / 'settings.py'))\n"
        "    site.validate()\n"
        "    site.select_subconfig(folder.name)\n"
        "    suite = json.loads((folder / 'cases.json').read_text())\n"
        "    there = {each['name'] for each in site.get('systems/0/partitions')}\n"
        "    cases = [*suite['jobs'].values(), *filter(None, [suite['validate']])]\n"
        "    assert {case['partition'] for case in cases} <= there, folder.name\n"
        "    print(folder.name)\n"
    )
    python = OWN.with_name("python")
    done = subprocess.run([python, "-c", code, tmp_path], capture_output=True, encoding="utf-8")
    assert done.stdout.split() == sorted(CLUSTERS), done.stderr


@pytest.mark.parametrize("key", CLUSTERS)
def test_the_settings_say_what_the_facts_say(key):
    cluster = CLUSTERS[key]
    [system] = settings(cluster, cluster.scheduler.words.reframe)["systems"]
    assert all(re.fullmatch(name, login.host) for name, login in zip(system["hostnames"], cluster.login, strict=True))
    *partitions, unnamed = system["partitions"]
    key_of = {id(p): name for name, p in cluster.partitions.items()}
    assert unnamed["name"] == UNNAMED and unnamed["access"] == []
    assert len({each["name"] for each in partitions}) == len(cluster.partitions)
    for found, p in zip(partitions, cluster.partitions.values(), strict=True):
        nodes = [cluster.node_types[name] for name in p.node_types]
        models = {(gpu, max(each.gpus.get(gpu, 0) for each in nodes)) for node in nodes for gpu in node.gpus}
        models = {(cluster.gpus[gpu].model, most) for gpu, most in models}
        devices = {(each["model"], each["num_devices"]) for each in found["devices"]}
        assert devices == models
        named = cluster.policy.partition.rule != "leave out" and cluster.scheduler.kind == "slurm"
        assert found["access"] == [f"--partition={p.name or key_of[id(p)]}"] * named
        assert partition_name(cluster, p.name or key_of[id(p)], bool(models)) == found["name"]
        assert ("gpu" in found["features"]) == bool(models)
        asked = {each["name"].removeprefix("gpu-"): " ".join(each["options"]) for each in found["resources"]}
        assert asked.keys() == {gpu for node in nodes for gpu in node.gpus}
        for gpu, option in asked.items():
            request = cluster.gpus[gpu].request
            assert request in {option.format(number=number) for number in range(1, 9)}
            assert option.count("{number}") == 1


@pytest.mark.parametrize("program", SHOWN)
def test_a_program_must_print_all_that_its_page_shows(program):
    """On any device and with any numbers; no line may be missing, and nothing else does in its place."""
    _, *lines = (PROGRAMS / f"{program}.out").read_text(encoding="utf-8").replace(OMITTED, "1.5").splitlines()
    lines = [line for line in lines if line.strip()]
    elsewhere = [re.sub(r"\b(on )cpu\b", r"\1cuda", re.sub(r"\d", "7", line)) for line in lines]
    patterns = prints(f"{program}.py")
    assert len(patterns) == len(lines)
    for pattern, line, other in zip(patterns, lines, elsewhere, strict=True):
        assert re.search(pattern, line) and re.search(pattern, other)
        rest = "\n".join(each for each in lines if not re.search(pattern, each))
        assert not re.search(pattern, rest) and not re.search(pattern, "Traceback (most recent call last):\n")


@pytest.mark.parametrize("key", by_day([key for key, cluster in CLUSTERS.items() if cluster.running], BY_DAY))
def test_the_references_are_the_hardwares_limits(key, suite):
    """The printed rate of the GPU that the script asks for, never more, and a quarter at least."""
    devices, jobs = load_limits(), cases_of(suite(key))["jobs"]
    known = {gpu.device for gpu in CLUSTERS[key].gpus.values() if gpu.device}
    rates = {devices[name].tflops["float32"] for name in known}
    products = [case["limits"]["product"] for case in jobs.values() if "product" in case["limits"]]
    assert all(each["limit"] in rates and each["lower"] == LEAST - 1 for each in products)
    memory = [case["limits"].get("device to device") for case in jobs.values()]
    assert {each["limit"] for each in memory if each} <= {devices[name].hbm_gb_per_s for name in known}
    if len(CLUSTERS[key].gpus) == 1 and known:
        assert products and any(memory)


def test_an_account_takes_the_place_of_the_sample_and_of_nothing_else(tmp_path):
    write(CLUSTERS["kestrel"], tmp_path / "plain", "slurm")
    write(CLUSTERS["kestrel"], tmp_path / "own", "slurm", "abc-1")
    for script in (tmp_path / "plain/jobs").iterdir():
        text = script.read_text(encoding="utf-8")
        assert "myproject" in text
        assert (tmp_path / "own/jobs" / script.name).read_text(encoding="utf-8") == text.replace("myproject", "abc-1")
    assert own(CLUSTERS["kestrel"], "-A myproject myproject-2 amyproject", "b") == "-A b myproject-2 amyproject"
    [engine] = settings(CLUSTERS["arc4"], "sge", "abc-1")["systems"]
    assert all(each["access"] == [] for each in engine["partitions"])
    [system] = settings(CLUSTERS["kestrel"], "slurm", "abc-1")["systems"]
    assert all("--account=abc-1" in each["access"] for each in system["partitions"])
