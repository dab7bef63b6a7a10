"""`scripts.check.findings.check`, with one shell for the twin."""

from collections.abc import Sequence
from unittest.mock import patch

from scripts.check.findings import check
from scripts.check.report import Report
from scripts.engine.ask import ask
from scripts.facts import Cluster
from tests.twin import kept as twins
from tests.twin.many import ask_many


def check_many(cluster: Cluster, scripts: Sequence[tuple[bytes, str]]) -> list[list[Report]]:
    asked = [[cluster.key, data.decode("utf-8", "surrogateescape"), name] for data, name in scripts]
    submitted = {each["submit"].encode("utf-8", "surrogateescape") for each in ask("check", [cluster], asked)} - {b""}
    texts = sorted(submitted)
    # As answer_of: the first line is the rules' business.
    lines = [b"" if text.startswith(b"#!") or cluster.scheduler.kind != "slurm" else b"#!/bin/sh\n" for text in texts]
    whole = [line + text for line, text in zip(lines, texts, strict=True)]
    answers = dict(zip(texts, ask_many(twins.twin(cluster), whole), strict=True))
    with patch("scripts.check.findings.answer_of", lambda _, script, *__: answers[script]):
        return check(cluster, [(name, data) for data, name in scripts])
