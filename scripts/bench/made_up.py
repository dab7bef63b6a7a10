"""A cluster that does not exist, for each seed: the control for what a model learnt by heart.

It has the nodes and rules of a real system, so that every task is possible. Names of the system, of its partitions,
GPU types and accounts, and its longer time limits, are others, in the facts and in the scripts alike.
"""

import atexit
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from scripts.facts import Cluster, load_all, load_cluster
from scripts.facts.limits import rows
from scripts.families.shared import elsewhere, scripts
from scripts.paths import SNIPPETS
from scripts.yaml_lines import load

NAMES = "Basalt Cairn Dolmen Esker Fjell Gritstone Kame Moraine Pingo Skerry Tarn Yardang".split()
WORDS = """amber beech clover dune elder fern gorse hazel heron juniper kelp larch lichen linden maple mica
 myrtle opal osprey otter petrel pine plover quartz reed rowan sedge sorrel spruce teal thistle topaz willow""".split()
FOR_TESTS = re.compile(r"test|debug|interactive")  # whether a partition is for work is read from its name
GROUPS = "node_types partitions gpus qos policy software storage scheduler status login billing".split()
LEFT_OUT = ("note", "since")  # prose and days of the real system
SHORT = 240  # minutes: longer limits are moved toward this
Rename = Callable[[str], str]


def made_up(seed: int) -> Cluster:
    """The cluster of a seed, written, read and checked as any other. Its folder lasts as long as this process."""
    key = f"madeup{seed}"
    draw = random.Random(key)
    model = draw.choice([cluster for cluster in load_all().values() if cluster.running])
    folder = Path(tempfile.mkdtemp(prefix="made-up-"), key)
    folder.mkdir()
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    data, _ = load(SNIPPETS / model.key / "cluster.yml", model.key)
    name, rename = _names(model, draw)
    found = _facts(data, model, name, rename)
    for path in scripts(model.key):
        (folder / path.name).write_text(rename(path.read_text(encoding="utf-8")), encoding="utf-8")
    text = yaml.safe_dump(found, sort_keys=False, allow_unicode=True)
    (folder / "cluster.yml").write_text(text, encoding="utf-8")
    elsewhere[key] = folder
    return load_cluster(folder / "cluster.yml")


def _names(model: Cluster, draw: random.Random) -> tuple[str, Rename]:
    """The system's new name, and what puts every new name into a text."""
    words = draw.sample(WORDS, len(WORDS))
    name = draw.choice(NAMES)
    patterns: list[tuple[str, str]] = [(rf"\b{re.escape(model.name)}\b", name)]
    for old, new in _partitions(model, words).items():
        patterns.append((rf"(?:(?<=--partition=)|(?<=-p )|(?<=`)){re.escape(old)}(?![\w-])", new))
    types = dict.fromkeys(gpu.gres.split(":")[1] for gpu in model.gpus.values() if ":" in gpu.gres)
    for old in types:
        patterns.append((rf"(?<=[:=]){re.escape(old)}(?=[:\s\\\"`']|$)", words.pop()))
    for old, new in _accounts(model, words).items():
        patterns.append((rf"\b{re.escape(old)}(?![A-Za-z])", new))
    compiled = [(re.compile(pattern, re.MULTILINE), new) for pattern, new in patterns]

    def rename(text: str) -> str:
        for pattern, new in compiled:
            text = pattern.sub(new, text)
        return text

    return name, rename


def _partitions(model: Cluster, words: list[str]) -> dict[str, str]:
    """A name with a QOS's suffix gets that of the name without it."""
    endings = [qos.partition_suffix for qos in model.qos.values() if qos.partition_suffix]
    found: dict[str, str] = {}
    names = sorted({each.name or key for key, each in model.partitions.items()})  # a set has no order of its own
    for old in sorted(names, key=len):
        ending = next((each for each in endings if old.endswith(each)), "")
        bare = old.removesuffix(ending)
        if ending and bare in found:
            found[old] = found[bare] + ending
        else:
            marks = FOR_TESTS.findall(bare)
            found[old] = "-".join([words.pop(), *marks]) + ending
    beside = {key: each.name for key, each in model.partitions.items() if each.name}
    return found | {key: key.replace(name, found[name]) for key, name in beside.items()}


def _accounts(model: Cluster, words: list[str]) -> dict[str, str]:
    """How accounts begin, and what stands there instead."""
    policy = model.policy
    every = [*policy.account_forms, *policy.allocation_accounts, policy.sample_account or ""]
    leads = [found[0] for each in every if (found := re.match(r"[A-Za-z]+", each))]
    return {lead: words.pop() for lead in dict.fromkeys(leads)}


def _facts(data: dict, model: Cluster, name: str, rename: Rename) -> dict:
    found = {key: _renamed(data[key], rename) for key in GROUPS if key in data}
    found["partitions"] = {rename(f"`{key}`")[1:-1]: value for key, value in found["partitions"].items()}
    for partition in found["partitions"].values():
        for field in ("name", "gpu_jobs_in", "longer_jobs_in"):
            if field in partition:
                partition[field] = rename(f"`{partition[field]}`")[1:-1]
    if "no_partition" in found["policy"] and model.policy.no_partition in model.partitions:
        found["policy"]["no_partition"] = rename(f"`{model.policy.no_partition}`")[1:-1]
    _shorten(found, model)
    prices = found.get("billing", {}).get("prices", [])
    for price in prices:
        if "partitions" in price:
            price["partitions"] = [rename(f"`{each}`")[1:-1] for each in price["partitions"]]
    found["billing"] = {"prices": prices}
    found["status"] = {"state": "active"}
    host = f"{name.lower()}.example.org"
    found["login"] = [each | {"host": f"login{at}.{host}"} for at, each in enumerate(found.get("login", []), 1)]
    about = {"name": name, "centre": model.centre, "operator": "nobody: it is made up", "docs": f"https://{host}/"}
    source = {"title": "made up", "url": f"https://{host}/", "read": "2026-01-01"}
    return about | found | {"sources": {group: [source] for group in found}}


def _renamed(value: Any, rename: Rename) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, rename) for key, each in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        return [_renamed(each, rename) for each in value]
    return rename(value) if isinstance(value, str) else value


def _shorten(found: dict, model: Cluster) -> None:
    """Each longest time of more than SHORT is half as far above it: so the order of the limits stays."""
    for group in ("partitions", "qos"):
        for entry, real in zip(found.get(group, {}).values(), getattr(model, group).values(), strict=True):
            for key, row in rows(group).items():
                if row.unit == "minute" and row.test == "at_most" and key in entry:
                    minutes = int(getattr(real, key).minutes)
                    minutes = minutes if minutes <= SHORT else SHORT + (minutes - SHORT) // 2
                    entry[key] = f"{minutes // 1440}-{minutes % 1440 // 60:02}:{minutes % 60:02}:00"
