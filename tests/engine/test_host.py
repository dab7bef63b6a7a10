"""The engine in Python's process: any text gets an answer or a sentence, in time, and the next question works."""

import re
import time

import pytest

from scripts.engine import host
from scripts.engine.ask import ask
from scripts.errors import BadInput
from tests import engine_in_node
from tests.clusters import CLUSTERS
from tests.engine import corpus
from tests.tiers import by_day

HEAD = "#!/bin/bash\n#SBATCH --account=project_2001234 --partition=small --time=10\n"
LONG, MEGABYTE = 2**13, 2**20


@pytest.fixture(autouse=True)
def in_quickjs(monkeypatch):
    monkeypatch.setattr(host, "_context", engine_in_node.in_quickjs)
    host.restart()
    yield
    monkeypatch.undo()
    host.restart()


def judged(text: str, key: str = "puhti") -> dict:
    (answer,) = ask("check", [CLUSTERS[key]], [[key, text, "job.sh"]])
    return answer


@pytest.mark.parametrize("words", ["Grüße – „fertig“", "🚀 日本語", "\u2028", "caf\udce9", "\udcff\udc80"])
def test_letters_outside_ascii_come_through(words):
    """Those of no UTF-8 too, which arrive as `surrogateescape` decodes them."""
    script = f"{HEAD}echo '{words}'\n"
    answer = judged(script)
    assert (answer["verdict"], answer["submit"]) == ("accepted", script)
    (found,) = [each for each in judged(f"{HEAD}#SBATCH --tiem='{words}'\n")["findings"] if each["kind"] == "refused"]
    shown = re.sub("[\udc80-\udcff]", "\ufffd", words)
    assert (found["rule"], found["option"]) == ("unknown-option", f"--tiem='{shown}'")


def test_a_null_byte_is_told():
    assert "null-character" in {each["rule"] for each in judged(f"{HEAD}echo \0\n")["findings"]}


@pytest.mark.parametrize("kind", corpus.FAULTS)
def test_scripts_with_many_faults_and_noise_are_judged(kind):
    texts = [script.decode("utf-8", "surrogateescape") for script in corpus.spoilt(20, kind, "host")]
    key = "puhti" if kind == "slurm" else "arc4"
    answers = ask("judge", [CLUSTERS[key]], [[key, text] for text in texts])
    assert sum(bool(answer["findings"]) for answer in answers) > 15


HOSTILE = {
    "one letter": "x",
    "quotes": "'\"",
    "substitutions": "$(",
    "blanks": " ",
    "backslashes": "\\",
    "dashes": "-",
    "commas": "gpu:1,",
    "directives": "\n#SBATCH --time=10\n#$ -l h_rt=10",
    "faulty directives": "\n#SBATCH --tiem=10\n#$ -l h_tr=10",
    "commands": "\nsrun ./a",
    "empty lines": "\n",
    "here-documents": "\ncat <<END",
}


def hostile(name: str, size: int) -> str:
    text = HOSTILE[name] * (size // len(HOSTILE[name]))
    return f"{HEAD}#$ -cwd -l h_rt=1:0:0\n#SBATCH --gres={text}\n#$ -l {text}\necho {text} x\n"


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("key", by_day(["puhti", "arc4"], {"puhti"}))
def test_a_long_script_is_judged(name, key):
    assert judged(hostile(name, LONG), key)["verdict"] in ("accepted", "refused", "not judged")


@pytest.mark.nightly
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_a_megabyte_ends_in_time(name, key):
    """With an answer, or with a sentence; and the next question works."""
    start = time.process_time()
    try:
        assert judged(hostile(name, MEGABYTE), key)["verdict"] in ("accepted", "refused", "not judged")
    except BadInput as fault:
        assert str(fault).count("\n") == 0
    assert time.process_time() - start < host.SECONDS + 5
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"


@pytest.mark.parametrize("value", ["$(({0}+{0}))", "{0}" * 40])
def test_values_that_double_are_judged(value):
    chain = "".join(f"A{n}={value.format(f'$A{n - 1}')}\n" for n in range(1, 40))
    assert judged(f"{HEAD}A0=1\n{chain}srun -n $A39 ./a $A38\n")["verdict"] == "accepted"


def test_an_engine_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(host, "SECONDS", 0.2)
    with pytest.raises(BadInput, match=r"gave no answer in 0\.2 seconds"):
        judged(hostile("quotes", MEGABYTE))
    monkeypatch.undo()
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"


def test_each_script_of_a_batch_has_its_own_time(monkeypatch):
    judged(HEAD)
    monkeypatch.setattr(host, "SECONDS", 0.1)
    assert len(ask("check", [CLUSTERS["puhti"]], [["puhti", f"{HEAD}./a {at}\n", "a.sh"] for at in range(60)])) == 60


def test_an_engine_that_takes_too_much_memory_is_stopped(monkeypatch):
    host.restart()
    monkeypatch.setattr(host, "BYTES", 40 * 2**20)
    with pytest.raises(BadInput, match="the engine failed"):
        host.call("options", [["slurm", "#SBATCH --time=10\n" * 300_000]])
    monkeypatch.undo()
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"


def test_a_failure_of_the_engine_is_a_sentence_and_the_next_question_works():
    with pytest.raises(BadInput, match=r"the engine failed: .*\. Report this"):
        host.call("no such command")
    assert judged(f"{HEAD}srun ./a\n")["verdict"] == "accepted"
