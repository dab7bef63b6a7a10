"""Processor, login and account."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts.model import Cluster
from scripts.migration.line import Line, options

WORDS = {"x86_64": "x86", "aarch64": "Arm"}


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    yield from _processor(old, new)
    for host in old.login:
        for other in new.login:
            yield Line("login", f"ssh <user>@{host.host}", f"ssh <user>@{other.host}", f"For {other.use}.")
    yield from _account(old, new)


def _processor(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Where GPU nodes, or the others, have processors of another kind."""
    for with_gpu, which in ((True, "GPU nodes"), (False, "nodes without GPUs")):
        before, after = (
            list(dict.fromkeys(n.architecture for n in cluster.node_types.values() if bool(n.gpus) is with_gpu))
            for cluster in (old, new)
        )
        if before and after and before[0] != after[0]:
            was, now = (WORDS[each[0]] for each in (before, after))
            why = f"The {which} have {now} processors, not {was}: what was built for {was}, containers and "
            yield Line("processor", before[0], after[0], why + "environments too, does not start there. Build it anew.")


def _account(old: Cluster, new: Cluster) -> Iterator[Line]:
    before, after = (options(cluster).get("account") for cluster in (old, new))
    if before and after:
        forms = ", ".join(f"`{form}`" for form in new.policy.account_forms)
        why = "As before" if old.policy.account_forms == new.policy.account_forms else "It looks different here"
        yield Line("account", before.written, after.written, f"{why}{f': {forms}' if forms else ''}.")
    elif before:
        yield Line("account", before.written, "", "No account is named here.")
    elif after:
        yield Line("account", "", after.written, "An account is named here.")
