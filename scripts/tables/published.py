"""The table of users' published job scripts: of each system so many, accepted or not, and why not."""

from __future__ import annotations

from scripts.facts import Cluster
from scripts.published import load_published, share
from scripts.published.record import WHY


def published(clusters: dict[str, Cluster]) -> str:
    """Markdown: a sentence with the share, a table with a row a system, and what the reasons mean."""
    counts = {key: numbers for key, numbers in share().items() if key in clusters}
    total = sum(numbers.total() for numbers in counts.values())
    sums = {name: sum(numbers[name] for numbers in counts.values()) for name in ("accepted", "not judged", *WHY)}
    refused = sum(sums[name] for name in WHY)
    rows = [
        [clusters[key].name, *(str(number) for number in (of_it.total(), of_it["accepted"], of_it["not judged"]))]
        + [", ".join(f"{of_it[name]} {name}" for name in WHY if of_it[name]) or "0"]
        for key, of_it in sorted(counts.items(), key=lambda item: -item[1].total())
    ]
    head = ["System", "Scripts", "Accepted", "Not judged", "Refused, and why"]
    lines = [
        f"Of **{total}** scripts from {len(load_published())} places, the systems' twins accept **{sums['accepted']}**"
        f" ({100 * sums['accepted'] / total:.0f} %), leave {sums['not judged']} to the cluster itself,"
        f" and refuse {refused}.",
        "",
        "| " + " | ".join(head) + " |",
        "| --- | --- | --- | --- | --- |",
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
        *(f"- *{name}* ({sums[name]}): {words}." for name, words in WHY.items() if sums[name]),
    ]
    return "\n".join(lines) + "\n"
