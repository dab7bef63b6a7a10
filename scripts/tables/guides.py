"""The table of the job scripts in the operators' guides: of each operator so many, judged or passed over, and how."""

from __future__ import annotations

from scripts.published.guides import WHY, load_guides, share


def guides() -> str:
    """Markdown: a sentence with the share that is judged, a table with a row an operator, what the reasons mean."""
    counts = share()
    sums = sum(counts.values(), start=type(next(iter(counts.values())))())
    total, judged = sums.total(), sums.total() - sums["not judged"]
    dated = {
        guide.operator: max(each.dated for each in load_guides().values() if each.operator == guide.operator)
        for guide in load_guides().values()
    }
    rows = [
        [
            operator,
            dated[operator],
            *(str(number) for number in (of_it.total(), of_it["accepted"], of_it["not judged"])),
        ]
        + [", ".join(f"{of_it[name]} {name}" for name in WHY if of_it[name]) or "0"]
        for operator, of_it in sorted(counts.items(), key=lambda item: -item[1].total())
    ]
    head = ["Operator", "As of", "Scripts", "Accepted", "Not judged", "Refused, and why"]
    lines = [
        f"Of **{total}** job scripts that these guides print, the engine judges **{judged}**"
        f" ({int(1000 * judged / total) / 10} %): it accepts {sums['accepted']}, refuses {judged - sums['accepted']},"
        f" and leaves {sums['not judged']} to the cluster.",
        "",
        "| " + " | ".join(head) + " |",
        "| " + " | ".join("---" for _ in head) + " |",
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
        *(f"- *{name}* ({sums[name]}): {words}." for name, words in WHY.items() if sums[name]),
    ]
    return "\n".join(lines) + "\n"
