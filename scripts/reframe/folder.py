"""Writes a suite into a folder: settings.py, cases.json, the tests, the job scripts and the programs."""

import json
import pprint
import re
import shutil
import tempfile
import textwrap
from pathlib import Path

from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import PROGRAMS, ROOT
from scripts.reframe.cases import cases, validate
from scripts.reframe.settings import settings, system_name

TESTS = "guide_jobs.py"
ELSEWHERE = "Start it in another folder."
OURS = ("settings.py", "cases.json", TESTS, "jobs", "programs")
HEAD = '''"""ReFrame's settings for {name}, from the facts of the guide; `guide reframe {key}` writes them again."""

'''


def write(cluster: Cluster, folder: Path, scheduler: str, account: str | None = None) -> int:
    """Write the suite; what else lies in the folder stays. Returns the number of tests.

    account: takes the place of the sample account in the scripts. Raises BadInput, and then nothing is written.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(folder, None, "is a file, not a folder.", ELSEWHERE)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "cases.json").exists():
        raise BadInput(folder, None, "this folder contains other files.", ELSEWHERE)
    if account is not None:
        check_account(cluster, account)
    found, jobs = cases(cluster)
    suite = {
        "guide": "GPU Cluster Guide",
        "system": system_name(cluster.key),
        "checkout": str(ROOT),
        "jobs": found,
        "validate": validate(cluster, jobs["validate.sh"]) if "validate.sh" in jobs else None,
    }
    configuration = python(cluster, settings(cluster, scheduler, account))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as name:
            part = Path(name)
            (part / "settings.py").write_text(configuration, encoding="utf-8")
            (part / "cases.json").write_text(json.dumps(suite, indent=1) + "\n", encoding="utf-8")
            shutil.copyfile(Path(__file__).with_name("suite.py"), part / TESTS)
            for below in ("jobs", "programs"):
                (part / below).mkdir()
            for file, script in jobs.items():
                (part / "jobs" / file).write_text(own(cluster, script, account), encoding="utf-8")
            for program in PROGRAMS.glob("*.py"):
                shutil.copyfile(program, part / "programs" / program.name)
            for each in OURS:
                old = folder / each
                shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
                (part / each).rename(old)
    except OSError as fault:
        what = f"cannot be written: {fault.strerror}."
        raise BadInput(fault.filename or folder, None, what, ELSEWHERE) from None
    return len(found) + bool(suite["validate"])


def python(cluster: Cluster, site: dict) -> str:
    """ReFrame's configuration as a file that people can read and change."""
    [system] = site["systems"]
    rest = {name: value for name, value in system.items() if name != "partitions"}
    texts = [pprint.pformat(each, width=116, sort_dicts=False) for each in system["partitions"]]
    listed = "".join(f"{textwrap.indent(text, '    ')},\n" for text in texts)
    head = HEAD.format(name=cluster.name, key=cluster.key)
    system_text = pprint.pformat(rest, width=116, sort_dicts=False)
    whole = 'site_configuration = {"systems": [{**system, "partitions": partitions}]}'
    return f"{head}system = {system_text}\n\npartitions = [\n{listed}]\n\n{whole}\n"


def own(cluster: Cluster, script: str, account: str | None) -> str:
    """A script with the caller's account in place of the sample, as a reader puts it there; else as it stands."""
    sample = cluster.policy.sample_account
    return re.sub(rf"(?<![\w-]){re.escape(sample)}(?![\w-])", account, script) if account and sample else script


def check_account(cluster: Cluster, account: str) -> None:
    """Raises BadInput for an account that this system has none of, or that would do harm in a shell."""
    if not cluster.policy.sample_account:
        raise BadInput("--account", None, f"jobs on {cluster.name} name no account.", "Omit the option.")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", account):
        raise BadInput("--account", None, "an account has only letters, digits, `_` and `-`.", "Write its name.")
    if cluster.policy.account_forms and not cluster.policy.has_form(account):
        forms = ", ".join(cluster.policy.account_forms)
        raise BadInput("--account", None, f"accounts of {cluster.name} look like this: {forms}.", "Name yours.")
