"""Write a system's settings for other tools, from its facts.

    guide export kestrel --for nf-core               settings for Nextflow, in the format of nf-core/configs
    guide export kestrel --for snakemake --into DIR  a profile for Snakemake's Slurm plugin
    guide export kestrel --for reframe --into DIR    the guide's job scripts as a ReFrame suite
    guide export kestrel --for ci --into DIR         GPU tests on GitHub, or on GitLab with Jacamar CI

Without --into, it prints the files. At the end, it lists the lines that you must set, such as your account.
"""

import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from scripts.errors import BadInput, named, parser_of, run
from scripts.export import ci, nf_core, snakemake
from scripts.facts import Cluster, load_named
from scripts.facts.load import successor
from scripts.reframe.folder import write as write_suite

TARGETS: dict[str, Callable[[Cluster], dict[str, str]]] = {
    "nf-core": nf_core.files,
    "snakemake": snakemake.files,
    "ci": ci.files,
}


SUITE = "reframe"  # this export is a directory


def main() -> int:
    parser = parser_of("guide export", __doc__)
    parser.add_argument("cluster", help="a system, such as kestrel")
    parser.add_argument("--for", dest="tool", required=True, choices=[*TARGETS, SUITE], help="the tool")
    parser.add_argument("--into", type=named, metavar="DIR", help="the directory for the files; default: print them")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    chosen = parser.parse_args()
    cluster = load_named(chosen.cluster)
    possible(cluster, chosen.tool)
    if chosen.tool == SUITE:
        if not chosen.into:
            raise BadInput("--for reframe", None, "this export is a directory.", "Add --into DIR.")
        number = write_suite(cluster, chosen.into, cluster.scheduler.words.reframe)
        print(f"{number} tests for {cluster.name} are in {chosen.into}. `guide reframe` also runs them.")
        return 0
    files = TARGETS[chosen.tool](cluster)
    if chosen.into:
        put(files, chosen.into, chosen.force)
        print(*(f"wrote {chosen.into / name}" for name in files), sep="\n")
    else:
        print(
            "\n".join(f"==> {name} <==\n{text}" for name, text in files.items())
            if len(files) > 1
            else [*files.values()][0]
        )
    sys.stdout.flush()
    print(*to_set(cluster, files), *(ci.notes(cluster) if chosen.tool == "ci" else ()), sep="\n", file=sys.stderr)
    return 0


def possible(cluster: Cluster, tool: str) -> None:
    """Raises BadInput where the tool can do nothing with this system."""
    if tool == SUITE:
        return
    if cluster.scheduler.kind != "slurm":
        what = f"{cluster.name} has {cluster.scheduler.words.name}, but this export is for Slurm."
        raise BadInput(cluster.key, None, what, "Use `--for reframe`.")
    if not cluster.running:
        after = successor(cluster)
        cure = f"Export its successor, {after.name}." if after else "Simulate it instead: --for reframe"
        raise BadInput("export", None, f"{cluster.name} cannot run jobs now.", cure)


def put(files: dict[str, str], into: Path, force: bool) -> None:
    """Write all files or none. Raises BadInput where one is already there and may not be replaced."""
    for path in filter(os.path.lexists, [into / name for name in files]):
        if path.is_dir():
            raise BadInput(path, None, "is a directory.", "Name another one for the files.")
        if not force:
            raise BadInput(path, None, "already exists.", "Name another directory, or add --force to replace it.")
    try:
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=into) as part:
            for name, text in files.items():
                for path in (new := Path(part, name), into / name):
                    path.parent.mkdir(parents=True, exist_ok=True)
                new.write_text(text, encoding="utf-8")
            for name in files:
                Path(part, name).replace(into / name)
    except OSError as fault:
        what = f"cannot be written: {fault.strerror}."
        raise BadInput(fault.filename or into, None, what, "Name another directory.") from None


def to_set(cluster: Cluster, files: dict[str, str]) -> list[str]:
    """A line for each place that only the reader can fill."""
    account = cluster.policy.sample_account
    found = []
    for name, text in files.items():
        for number, line in enumerate(text.splitlines(), 1):
            if marked := re.search(r"\bSET: (.+)", line):
                found.append(f"  {name}:{number}: {marked[1]}")
            elif account and re.search(rf"(?<![\w-]){re.escape(account)}(?![\w-])", line):
                found.append(f"  {name}:{number}: replace {account} with your account")
    return [f"Set these lines before you use the files on {cluster.name}:", *found] if found else []


if __name__ == "__main__":
    run(main, status=2)
