"""`scripts.check.findings.check` for many scripts of one cluster: one shell for the twin, one run of shellcheck."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from scripts.check.findings import check
from scripts.check.report import Report
from scripts.engine.ask import ask
from scripts.facts import Cluster
from tests.twin import kept as twins
from tests.twin.many import ask_many


def check_many(cluster: Cluster, scripts: Sequence[tuple[bytes, str]], shell: bool = True) -> list[list[Report]]:
    """The findings about each (script, name). shell: shellcheck's, too."""
    asked = [[cluster.key, data.decode("utf-8", "surrogateescape"), name] for data, name in scripts]
    submitted = {each["submit"].encode("utf-8", "surrogateescape") for each in ask("check", [cluster], asked)} - {b""}
    texts = sorted(submitted)
    # As answer_of: the first line is the rules' business.
    lines = [b"" if text.startswith(b"#!") or cluster.scheduler.kind != "slurm" else b"#!/bin/sh\n" for text in texts]
    whole = [line + text for line, text in zip(lines, texts, strict=True)]
    answers = dict(zip(texts, ask_many(twins.twin(cluster), whole), strict=True))
    warnings = shellchecked(texts) if shell else {}

    def answer_of(cluster: Cluster, script: bytes, name: str):
        return answers[script]

    def shellcheck(script: bytes, file: str) -> list[Report]:
        return [Report(file, *rest) for rest in warnings.get(script, ())]

    with (
        patch("scripts.check.findings.answer_of", answer_of),
        patch("scripts.check.findings.shellcheck", shellcheck),
    ):
        return [check(cluster, data, name) for data, name in scripts]


def shellchecked(texts: Sequence[bytes]) -> dict[bytes, list[tuple]]:
    """Script -> what comes behind the file's name in each Report."""
    found: dict[bytes, list[tuple]] = {text: [] for text in texts}
    with tempfile.TemporaryDirectory() as folder:
        files = {f"{number}.sh": text for number, text in enumerate(texts)}
        for name, text in files.items():
            Path(folder, name).write_bytes(text)
        command = ["shellcheck", "--shell=bash", "--severity=warning", "--exclude=SC1091", "--format=json", *files]
        environment = os.environ | {"LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, cwd=folder, capture_output=True, env=environment)
    for item in json.loads(done.stdout or b"[]"):
        rest = (item["line"], "unwise", item["message"], "", f"SC{item['code']}")
        found[files[item["file"]]].append(rest)
    return found
