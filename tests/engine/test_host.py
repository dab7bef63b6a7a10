"""The engine in Python's process: any text gets an answer or a sentence, in time, and the next question works."""

import pytest

from scripts.engine import host
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import load_all
from tests.engine import corpus

CLUSTERS = load_all()
HEAD = "#!/bin/bash\n#SBATCH --account=project_2001234 --partition=small --time=10\n"
MEGABYTE = 2**20


def judged(text: str, key: str = "puhti") -> dict:
    (answer,) = ask("judge", [CLUSTERS[key]], [[key, text]])
    return answer


def rules(text: str) -> set[str]:
    return {each["rule"] for each in judged(text)["findings"]}


@pytest.mark.parametrize("words", ["Grüße – „fertig“", "🚀 日本語", "\u2028", "caf\udce9", "\udcff\udc80"])
def test_letters_outside_ascii_come_through(words):
    """Those of no UTF-8 too, which arrive as `surrogateescape` decodes them."""
    assert judged(f"{HEAD}echo '{words}'\n")["verdict"] == "accepted"
    (found,) = [each for each in judged(f"{HEAD}#SBATCH --tiem={words}\n")["findings"] if each["kind"] == "refused"]
    assert found["rule"] == "unknown-option" and words.split(" ")[0] in found["option"]


def test_a_null_byte_is_told():
    assert "null-byte" in rules(f"{HEAD}echo \0\n")


@pytest.mark.parametrize("kind", corpus.FAULTS)
def test_scripts_with_many_faults_and_noise_are_judged(kind):
    texts = [script.decode("utf-8", "surrogateescape") for script in corpus.spoilt(80, kind, "host")]
    key = "puhti" if kind == "slurm" else "arc4"
    answers = ask("judge", [CLUSTERS[key]], [[key, text] for text in texts])
    assert sum(bool(answer["findings"]) for answer in answers) > 70


LARGE = {
    "one letter": "x" * MEGABYTE,
    "quotes": "'\"" * (MEGABYTE // 2),
    "substitutions": "$(" * (MEGABYTE // 2),
    "blanks": "echo" + " " * MEGABYTE + "x",
    "backslashes": "\\" * MEGABYTE,
    "dashes": "#SBATCH " + "-" * MEGABYTE,
    "one long directive": "#SBATCH --comment=" + "x" * MEGABYTE,
    "commas": "#SBATCH --gres=" + "gpu:1," * (MEGABYTE // 6),
    "directives": "#SBATCH --time=10\n" * 20_000,
    "faulty directives": "#SBATCH --tiem=10\n" * 20_000,
    "commands": "srun ./a\n" * 20_000,
    "empty lines": "\n" * MEGABYTE,
    "here-documents": "cat <<END\n" * 20_000,
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_a_megabyte_ends_in_time(name, key):
    """With an answer, or with a sentence; and the next question works."""
    head = HEAD if key == "puhti" else "#!/bin/bash\n#$ -cwd -l h_rt=1:0:0\n"
    text = head + (LARGE[name] if key == "puhti" else LARGE[name].replace("#SBATCH -", "#$ ")) + "\n"
    try:
        assert judged(text, key)["verdict"] in ("accepted", "refused", "not judged")
    except BadInput as fault:
        assert str(fault).count("\n") == 0
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"


def test_an_engine_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(host, "SECONDS", 1)
    with pytest.raises(BadInput, match="gave no answer in 1 seconds"):
        ask("judge", [CLUSTERS["puhti"]], [["puhti", f"{HEAD}echo {number}\n"] for number in range(5_000)])
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"


def test_an_engine_that_takes_too_much_memory_is_stopped(monkeypatch):
    host.call("options", [])
    monkeypatch.setattr(host, "BYTES", 40 * 2**20)
    host._own_thread().submit(host._context.cache_clear).result()
    with pytest.raises(BadInput, match="the engine failed"):
        host.call("options", [["slurm", "#SBATCH --time=10\n" * 300_000]])
    monkeypatch.undo()
    assert len(host.call("options", [["slurm", "#SBATCH --time=10\n"]])[0]) == 1


def test_a_failure_of_the_engine_is_a_sentence_and_the_next_question_works():
    with pytest.raises(BadInput, match=r"the engine failed: .*\. Report this"):
        host.call("no such command")
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"
