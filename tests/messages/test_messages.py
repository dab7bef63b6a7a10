"""The messages: each found by its own text; operators' words are those of the facts."""

import re
import signal

import pytest
import yaml

from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.messages import load_messages
from scripts.messages.load import ADDRESS, FOLDER, SOURCES, refusals
from scripts.paths import DOCS
from tests.messages.explained import entries
from tests.twin import kept
from tests.twin.pairs import base, lines

CLUSTERS = load_all()
MESSAGES = load_messages(CLUSTERS)
SYSTEMS = {entry.key: entry.systems for entry in MESSAGES}


def test_a_pasted_message_is_found_with_its_numbers_and_line_breaks():
    pasted = {
        "RuntimeError: CUDA error: no kernel image is available for\nexecution on the device": "no-kernel-image",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total": "cuda-oom",
        "Detected 1 oom_kill event in StepId=12.0. Some of the step tasks have been OOM Killed.": "oom-kill",
        "(AssocGrpBillingMinutes)": "assoc-grp-minutes",
        "cudaGetDeviceCount returned 100\n-> no CUDA-capable device is detected": "no-capable-device",
        'Unable to run job: unknown resource "mem"': "ge-unknown-resource",
        "job.sh: line 4: $'\\r': command not found": "dos-line-breaks",
        "(Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions)": "nodes-down",
        "Nodes required for job are DOWN, DRAINED, REBOOTING or reserved for jobs in higher priority partitions": (
            "nodes-down"
        ),
        "slurmstepd: error: couldn't chdir to `/scratch/me': No such file or directory: going to /tmp instead": "chdir",
        "scancel: error: Kill job error on job id 5: Access/permission denied": "scancel-denied",
        "srun: error: Unable to confirm allocation for job 5: Invalid job id specified": "no-such-job",
        "host='huggingface.co', port=443): Max retries exceeded with url: /bert": "network",
        "OSError: We couldn't connect to 'https://huggingface.co/' to load the files": "network",
        "OSError: [Errno 98] Address already in use": "port-in-use",
        "[c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).": "bind",
        "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\ntrain.py FAILED": "child-failed",
        "numpy: Unable to allocate 74.5 GiB for an array with shape (100000, 100000)": "memory-error",
        "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 728. TiB for an array with shape (9, 9)": (
            "memory-error"
        ),
    }
    assert dict(zip(pasted, entries(list(pasted)), strict=True)) == pasted


def test_codes_are_those_of_the_signal_beside_them():
    """135:0 and 0:7 stand beside SIGBUS: by Linux, and as a shell and Slurm write them."""
    found = 0
    for texts in (entry.message.texts for entry in MESSAGES):
        for number in map(signal.Signals.__getitem__, signal.Signals.__members__.keys() & {*texts}):
            codes = {text for text in texts if re.fullmatch(r"\d+:0|0:\d+|exit code \d+", text)}
            wanted = {f"{128 + number}:0", f"0:{number:d}"}
            assert wanted <= codes <= wanted | {f"exit code {128 + number}"}
            found += 1
    assert found > 5


def test_slurm_knows_what_its_command_changes():
    pages = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.yml")]
    commands = {*re.findall(r"scontrol update [^`\"]+", " ".join(pages))}
    twin = kept.twin(CLUSTERS["puhti"])
    for command in commands:
        done = twin.run(command.split(), capture_output=True, encoding="utf-8")
        assert "Invalid job id" in done.stderr + done.stdout, f"{command}: {done.stderr}"
    assert len(commands) > 2


def test_every_refusal_of_an_operator_has_an_entry():
    for key, cluster in CLUSTERS.items():
        said = list(refusals(cluster))
        for words, entry in zip(said, entries(said, key), strict=True):
            assert entry and key in SYSTEMS[entry], f"{key}: {words}"


# What the engine cannot see: how a quotation ends, what only the job's program or the day's maintenance objects to.
UNSEEN = {"unmatched-quote", "gromacs-domains", "mpi-slots", "mpi-slots-cores"}
DIRECTIVES = {"slurm": "#SBATCH", "grid_engine": "#$"}


def test_the_line_to_write_is_accepted_and_the_wrong_one_is_not():
    """Where the engine can say so: on one of its systems at least, on one node or on two."""
    found = [each for each in MESSAGES if (each.message.now or "").startswith(tuple(DIRECTIVES.values()))]
    wrong = [f"{each.key}: {each.message.was} -> {each.message.now}" for each in found if not cured_somewhere(each)]
    assert len(found) > 60 and wrong == []


def cured_somewhere(entry):
    was, now = entry.message.was or "true", entry.message.now
    for cluster in (CLUSTERS[key] for key in entry.systems if now.startswith(DIRECTIVES[CLUSTERS[key].scheduler.kind])):
        for more in ((), ("#SBATCH --nodes=2",)):
            asked = [[cluster.key, job_with(cluster, line, *more)] for line in (was, now)]
            before, after = (each["verdict"] for each in ask("decide", [cluster], asked))
            if after != "refused" and (not entry.message.was or entry.key in UNSEEN or before != after):
                return True
    return False


def job_with(cluster, line, *more):
    """A script with this line, which goes before what the system asks of every job; placeholders are filled in."""
    names = {"MODEL": next(iter(cluster.gpus)), "NAME": next(iter(cluster.partitions))}
    line = re.sub(r"\b(MODEL|NAME)\b", lambda found: names[found[0]], line)
    least = {"h_rt": "1:00:00"} if cluster.scheduler.kind == "grid_engine" else base(cluster, names["NAME"])
    asked = lines(cluster, least).values()
    return "\n".join(["#!/bin/bash", *asked, *more, line, "srun ./a", ""])


def test_each_kind_of_memory_has_its_own_cure():
    """`--mem` is the host's memory, of which a message about the GPU's must not speak, and the other way round."""
    host = re.compile(r"\b(host memory|job's memory)\b", re.IGNORECASE)
    of_gpu = re.compile(r"^[^.]*\bGPU(?:'s)? memory\b(?! is separate)", re.IGNORECASE)
    for entry in MESSAGES:
        cured_by_mem = "--mem=" in (entry.message.now or "") and not entry.message.was
        assert not cured_by_mem or host.search(entry.message.means), f"{entry.key}: --mem is for host memory"
        if of_gpu.search(entry.message.means) and not host.search(entry.message.means):
            assert "`--mem`" not in entry.message.do and not cured_by_mem, f"{entry.key}: --mem gives no GPU memory"


def test_a_container_gets_the_gpu_by_the_option_that_the_words_name():
    found = [(entry.key, entry.message, re.findall(r"--(?:nv|rocm)\b", entry.message.now or "")) for entry in MESSAGES]
    assert sum(bool(options) for _, _, options in found) >= 2
    for key, message, options in found:
        assert all(option in f"{message.means} {message.do}" for option in options), f"{key}: {options} is in no word"


def test_every_source_is_used():
    known = set(yaml.safe_load((FOLDER / SOURCES).read_text(encoding="utf-8")))
    assert known == {entry.of for entry in MESSAGES if not ADDRESS.match(entry.of)} - {"twins", "facts"}


GOOD = """groups:
- heading: One
  when: running
  of: here
  messages:
    first:
      texts: [a message]
      means: It means this.
      do: Do that.
"""
AGAIN = GOOD[GOOD.index("    first:") :].replace("first:", "second:")
ISSUE = "of: https://github.com/openucx/ucx/issues/6264"


def loaded(folder, text: str):
    """The one entry of a page with this text, whose sources are `here` and `own`."""
    source = "{title: A page, url: 'https://example.org', read: 2026-11-21}"
    (folder / SOURCES).write_text(f"here: {source}\nown: {source}\n", encoding="utf-8")
    (folder / "page.yml").write_text(text, encoding="utf-8")
    (entry,) = load_messages(CLUSTERS, folder)
    return entry


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("of: here", "of: there"), "`of: there` is not a source"),
        (("of: here", "of: facts"), "no system rejects a job with `a message`"),
        (("of: here", ISSUE), "nobody knows when"),
        (("when: running", "when: later"), "when"),
        (("means:", "meant:"), "`groups.0.messages.first.meant` is not a key"),
        (("do: Do that.", "do: Do that.\n      was: x"), "`was` needs another line"),
        (("do: Do that.", "do: Do that.\n      was: x\n      now: x"), "`was` needs another line"),
        (("do: Do that.", "do: Do that.\n      now: load <1:NAME>"), "`<1:NAME>` is for `…` number 1, and no text has"),
        (("of: here", "of: here\n  on: [nowhere]"), "`on: nowhere` is not a system"),
        ((GOOD, GOOD + AGAIN), "`a message` is a text of first and of second"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, change, said):
    assert loaded(tmp_path, GOOD).key == "first"
    with pytest.raises(BadInput, match=said):
        loaded(tmp_path, GOOD.replace(*change))


def test_a_page_that_one_entry_names_by_its_address_has_a_title_and_a_day(tmp_path):
    source = loaded(tmp_path, GOOD.replace("of: here", f"{ISSUE}\n  read: 2026-11-25")).source
    assert (source.title, source.url[-4:], source.read) == ("openucx/ucx, issue 6264", "6264", "2026-11-25")


def test_what_a_message_says_of_its_systems_goes_before_what_its_group_says(tmp_path):
    text = GOOD.replace("of: here", "of: here\n  on: [lumi]")
    entry = loaded(tmp_path, f"{text}      of: own\n      on: [fir]\n")
    assert (entry.systems, entry.of) == (("fir",), "own")


def test_every_page_of_messages_is_in_the_guide():
    assert {entry.page for entry in MESSAGES} == {
        path.stem for path in (DOCS / "wrong").glob("*.md") if path.stem != "index"
    }
