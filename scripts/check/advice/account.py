"""Accounts: the form that this system's have, the endings that Slurm adds, and samples that nobody replaced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.check.advice.case import Case
from scripts.check.advice.systems import systems
from scripts.check.report import Report
from scripts.paths import SNIPPETS


def advise(case: Case) -> Iterator[Report]:
    policy, at = case.cluster.policy, case.option("account", "P")
    account = at.value if at else None
    if not at or not account or "$" in account:
        return
    if ending := next((each for each in policy.account_endings if account.endswith(each)), None):
        what = f"{at.written}: {case.cluster.name}'s Slurm adds {ending} to the account by itself."
        cure = f"Write {account.removesuffix(ending)}."
        yield case.report("account-ending", what, cure, at, "policy.account_endings")
    name = case.cluster.name
    if not policy.has_form(account):
        if other := _whose_form(account):
            what = f"{at.written} has the form of an account of {other}, not of {name}."
            yield case.report("account-form", what, "Write the one that you have here.", at, group="policy")
        elif policy.account_forms:
            what = f"{at.written} has not the form of an account of {name}, such as {policy.sample_account}."
            yield case.report("account-form", what, "Look at it again.", at, group="policy", kind="not judged")
    if account == policy.sample_account and not _is_the_guides(case.file):
        what = f"{at.written} is this guide's sample; whose it is, nobody here knows."
        yield case.report("account-sample", what, "Put your own account there.", at, kind="not judged")


def _whose_form(account: str) -> str | None:
    """Another system whose accounts look like this."""
    for cluster in systems():
        if cluster.policy.has_form(account):
            return cluster.name
    return None


def _is_the_guides(file: str) -> bool:
    """In the guide's own scripts the sample is right."""
    return Path(file).resolve().is_relative_to(SNIPPETS)
