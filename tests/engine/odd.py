"""Values and words that sbatch reads in its own way, for the made-up system `small`."""

from pathlib import Path

import yaml

ODD = Path(__file__).with_name("odd.yml")
LONG = "x" * 1000  # what LONG there stands for


def odd_cases() -> list[str]:
    """Each value of each option, alone and with others; then words, and lines."""
    odd = yaml.safe_load(ODD.read_text(encoding="utf-8"))
    values = [(name, value.replace("LONG", LONG)) for name, some in odd["values"].items() for value in some.split(" ")]
    flags = [f"--{name}" for name in odd["flags"].split()]
    bodies = [text.rstrip("\n") for text in odd["whole"]]
    for beside in odd["beside"]:
        start = {"time": "3"} | beside
        bodies += [_lines(start | {name: value}) for name, value in values]
        bodies += [f"{_lines(start)}\n#SBATCH {words}" for words in [*flags, *odd["words"]]]
        bodies += [f"#SBATCH {words}\n{_lines(start)}" for words in odd["words"]]
    return [f"#!/bin/bash\n#SBATCH --account=mine\n{body}\nsrun ./program\n" for body in dict.fromkeys(bodies)]


def _lines(options: dict[str, str]) -> str:
    return "\n".join(f"#SBATCH --{name}={value}" for name, value in options.items())
