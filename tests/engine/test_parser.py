"""The engine's parser of bash holds against bash itself: `bash -n` decides what can be parsed."""

import random
import subprocess

from scripts.engine.ask import ask
from scripts.facts import load_named
from scripts.paths import ROOT
from tests.check.planted import job_scripts

CLUSTER = load_named("narval")
SIGNS = "\"'(){};|&<>$\n"
# bash -n does not look inside backquotes, where the engine does; and it reads `${` to any length.
LATER = ("`", "${")


def cannot_parse(texts: list[str]) -> list[bool]:
    answers = ask("rules", [CLUSTER], [[CLUSTER.key, text] for text in texts])
    return [any(each["rule"] == "shell-cannot-parse" for each in found) for found in answers]


def bash_cannot(text: str) -> bool:
    return bool(subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True).returncode)


def scripts() -> list[str]:
    """The guide's own scripts, and those of this repository."""
    files = [*job_scripts("slurm"), *job_scripts("grid_engine")]
    files += [path for room in ("scripts", "tests") for path in ROOT.glob(f"{room}/**/*.sh")]
    return [path.read_text(encoding="utf-8") for path in files]


def spoilt(text: str, chance: random.Random) -> str:
    """The script without a line, without a letter, or with a sign too many."""
    place = chance.randrange(len(text))
    match chance.randrange(3):
        case 0:
            lines = text.split("\n")
            del lines[chance.randrange(1, len(lines))]
            return "\n".join(lines)
        case 1:
            return text[:place] + text[place + 1 :]
        case _:
            return text[:place] + chance.choice(SIGNS) + text[place:]


def test_whole_scripts_are_parsed():
    texts = [*scripts(), "#!/bin/bash\n./a $[ ( $RANDOM % 3 ) ]s $[$A * ($B - 1)]\n"]
    assert len(texts) > 100 and not any(cannot_parse(texts)) and not any(map(bash_cannot, texts))


def test_spoilt_scripts_are_read_as_bash_reads_them():
    chance = random.Random(23)
    texts = [text for text in scripts() if text.startswith("#!") and len(text) < 6000]
    cases = [spoilt(chance.choice(texts), chance) for _ in range(400)]
    cases = [text for text in cases if text.startswith("#!") and not any(sign in text for sign in LATER)]
    wrong = [text for text, ours in zip(cases, cannot_parse(cases), strict=True) if ours != bash_cannot(text)]
    assert len(cases) > 200 and wrong == []
