"""Downloads on compute nodes that have no internet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scripts.check.advice.case import Case, payload
from scripts.check.advice.commands import Command
from scripts.check.report import Report

URL = re.compile(r"(https?|ftp)://(?!localhost|127\.|\$|\[)[\w.-]+\.[a-z]+", re.I)
REMOTE = re.compile(r"(docker|oras|library|shub)://")
ADDRESS = re.compile(r"https?://|git@|ssh://")
# pip without an index, from a folder or from files of one's own needs no internet; a requirement without a name cannot
# be told.
PIP_OFFLINE = re.compile(
    r"--no-index|-f|--find-links.*|--index-url.*|-i|-e|--editable|--no-deps|.*\.whl|\.{1,2}(/.*)?|/.*"
)


def advise(case: Case) -> Iterator[Report]:
    if case.cluster.policy.internet_on_compute_nodes is not False:
        return
    everything = " ".join(part for command in case.commands for part in (*command.words, *command.sets))
    if re.search(r"httpproxy|https?_proxy|PIP_NO_INDEX|PIP_FIND_LINKS|conda.*--offline", everything, re.I):
        return
    for command in case.certain:
        if thing := _download(command):
            what = f"`{thing}` needs the internet, and compute nodes of {case.cluster.name} have none."
            cure = "Do it before the job, on a login node."
            if thing.startswith("pip"):
                cure = "Add --no-index, or install on a login node before the job."
            yield case.report("internet-none", what, cure, command, "policy.internet_on_compute_nodes")


def _download(command: Command) -> str | None:
    """What a command fetches with, if it is sure to fetch."""
    words = list(payload(command))
    name = words[0].rsplit("/", 1)[-1] if words else ""
    if re.fullmatch(r"python[0-9.]*", name) and words[1:3] == ["-m", "pip"]:
        name, words = "pip", words[2:]
    if re.fullmatch(r"pip[0-9.]*", name):
        offline = any(PIP_OFFLINE.fullmatch(word) for word in words[2:])
        return (
            f"pip {words[1]}" if words[1:2] in (["install"], ["download"]) and not offline and len(words) > 2 else None
        )
    arguments = words[1:]
    fetches = {
        "wget": any(URL.match(word) for word in arguments),
        "curl": any(URL.match(word) for word in arguments),
        "git": (arguments[:1] in (["clone"], ["pull"], ["fetch"]) or arguments[:2] == ["submodule", "update"])
        and (arguments[0] != "clone" or any(ADDRESS.match(word) for word in arguments)),
        "npm": arguments[:1] in (["install"], ["ci"]),
        "cargo": arguments[:1] == ["install"] and not {"--path", "--offline"} & set(arguments),
        "gdown": bool(arguments),
        "kaggle": "download" in arguments,
        "aws": arguments[:1] == ["s3"] and any(word.startswith("s3://") for word in arguments),
        "gsutil": any(word.startswith("gs://") for word in arguments),
        "dvc": arguments[:1] in (["pull"], ["fetch"]),
        "uv": arguments[:2] == ["pip", "install"] and not {"--no-index", "--offline"} & set(arguments),
        "Rscript": any("install.packages(" in word and "repos=NULL" not in word.replace(" ", "") for word in arguments),
        "julia": any(re.search(r"Pkg\.(add|update)\(", word) for word in arguments),
        "hf": arguments[:1] == ["download"],
        "huggingface-cli": arguments[:1] == ["download"],
        "apptainer": any(REMOTE.match(word) for word in arguments),
        "singularity": any(REMOTE.match(word) for word in arguments),
    }
    for conda in ("conda", "mamba", "micromamba"):
        makes = arguments[:1] in (["install"], ["create"], ["update"]) or arguments[:2] == ["env", "create"]
        fetches[conda] = makes and not {"--offline", "--clone"} & set(arguments)
    if not fetches.get(name):
        return None
    second = next((word for word in arguments if re.fullmatch(r"[a-z]+", word)), "")
    return name if name in ("wget", "curl") else f"{name} {second}"
