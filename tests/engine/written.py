"""Scripts that the form writes, and what the twins, shellcheck and the guide's own check say of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.jobscript.node import node

from scripts.engine.data import for_engine
from scripts.facts import Cluster
from scripts.twin.daemon import Twin

CASES = Path(__file__).with_name("form_cases.cjs")
NO_VALUE = {0xFFFE, 0xFFFFFFFE, 0xFFFFFFFFFFFFFFFE, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF}


@dataclass(frozen=True)
class Written:
    """One filling of the form that gave a script."""

    cluster: Cluster
    fields: dict[str, str]
    script: str
    plan: dict

    @property
    def address(self) -> str:
        return "&".join(f"{name}={value}" for name, value in self.fields.items())


def cases(clusters: dict[str, Cluster], random: int, seed: int, pairs: bool) -> dict[str, dict]:
    """Per running cluster: `pairs` that can be had, `cases` (a list of Written), and what was `refused`."""
    asked = {"data": for_engine(clusters.values()), "random": random, "seed": seed, "pairs": pairs}
    done = subprocess.run(
        [node(), str(CASES)], input=json.dumps(asked), capture_output=True, encoding="utf-8", check=True
    )
    found = json.loads(done.stdout)
    for key, each in found.items():
        each["cases"] = [Written(clusters[key], case["fields"], case["script"], case["plan"]) for case in each["cases"]]
    return found


def refused(twin: Twin, written: list[Written]) -> Iterator[str]:
    """Cases that the twin refuses, or of which it understood something else than the form meant."""
    with twin.in_use(), tempfile.TemporaryDirectory(dir=twin.folder, prefix="asked-") as folder:
        out = Path(folder, "asked")
        environment = twin.environment | {"SLURM_ASKED": str(out)}
        for case in written:
            out.write_text("", encoding="utf-8")
            done = subprocess.run(
                ["sbatch", "--test-only"], input=case.script, env=environment, capture_output=True, encoding="utf-8"
            )
            if done.returncode or "warning" in done.stderr:
                yield f"{case.address}: {done.stderr.strip()}"
            else:
                yield from _otherwise(case, json.loads(out.read_text(encoding="utf-8").splitlines()[0]))


def _otherwise(case: Written, understood: dict) -> Iterator[str]:
    plan, cluster = case.plan, case.cluster
    known = {name: value for name, value in understood.items() if value not in NO_VALUE}
    memory = known.get("min_mem_per_node")
    gpus = known.get("tres_per_node") or known.get("tres_per_job") or ""
    number = int(found[1]) if (found := re.search(r"gpu(?:[:/][^,]*)?[:=](\d+)$", gpus)) else 0 if not gpus else 1
    pairs = {
        "time": (known.get("time_limit"), plan["time"]),
        "nodes": (known.get("min_nodes"), plan["nodes"]),
        "cores": (known.get("cpus_per_task"), plan["cores"] or None),
        "memory": (memory, plan["mib"] or None),
        "GPUs": (number, plan["gpus"]),
        "array": (known.get("array_inx"), plan["array"]),
        "account": (known.get("account"), cluster.policy.sample_account if "--account" in case.script else None),
    }
    for what, (got, meant) in pairs.items():
        if (got or None) != (meant or None):
            yield f"{case.address}: {what} is {got}, and the form meant {meant}"


def shellcheck(scripts: set[str]) -> list[str]:
    """All that shellcheck says of these texts, at any severity."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, text in enumerate(sorted(scripts)):
            names.append(f"{number}.sh")
            Path(folder, names[-1]).write_text(text, encoding="utf-8")
        found = []
        for start in range(0, len(names), 200):
            done = subprocess.run(
                ["shellcheck", "--shell=bash", "--exclude=SC1091", "--format=json", *names[start : start + 200]],
                cwd=folder,
                capture_output=True,
                encoding="utf-8",
                env=os.environ | {"LC_ALL": "C.UTF-8"},
            )
            found += [f"SC{item['code']}: {item['message']}" for item in json.loads(done.stdout)]
    return sorted(set(found))


def bodies(written: list[Written]) -> set[str]:
    """The texts without directives, and with one number for all: neither is anything to a shell."""
    plain = (re.sub(r"(?m)^#SBATCH .*\n", "", case.script) for case in written)
    return {re.sub(r"(?<=[= ])\d+", "8", text) for text in plain}
