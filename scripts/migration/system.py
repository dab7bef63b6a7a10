"""Login and account."""

from collections.abc import Iterator

from scripts.facts.model import Cluster
from scripts.migration.line import Line, options


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    for host in old.login:
        for other in new.login:
            yield Line(
                "login", f"ssh <user>@{host.host}", f"ssh <user>@{other.host}", f"Use this address {other.purpose}."
            )
    yield from _account(old, new)


def _account(old: Cluster, new: Cluster) -> Iterator[Line]:
    before, after = (options(cluster).get("account") for cluster in (old, new))
    if before and after:
        forms = ", ".join(f"`{form}`" for form in new.policy.account_forms)
        same = old.policy.account_forms == new.policy.account_forms
        why = "The format is unchanged" if same else f"The format on {new.name} is different"
        yield Line("account", before.written, after.written, f"{why}{f': {forms}' if forms else ''}.")
