"""The messages: many, of every moment, each found by its own text; operators' words are those of the facts."""

import pytest
import yaml

from scripts.errors import BadInput
from scripts.facts import load_all
from scripts.messages import load_messages
from scripts.messages.load import ADDRESS, FOLDER, SOURCES, refusals
from scripts.messages.model import When
from scripts.paths import DOCS
from tests.messages.explained import entries

CLUSTERS = load_all()
MESSAGES = load_messages(CLUSTERS)
SYSTEMS = {entry.key: entry.systems for entry in MESSAGES}


def test_there_are_many_of_each_moment():
    assert len(MESSAGES) >= 250
    for when in When:
        assert len([entry for entry in MESSAGES if entry.group.when is when]) >= 30, when


def test_a_pasted_message_is_found_with_its_numbers_and_line_breaks():
    pasted = {
        "RuntimeError: CUDA error: no kernel image is available for\nexecution on the device": "no-kernel-image",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total": "cuda-oom",
        "Detected 1 oom_kill event in StepId=12.0. Some of the step tasks have been OOM Killed.": "oom-kill",
        "(AssocGrpBillingMinutes)": "assoc-grp-minutes",
        'Unable to run job: unknown resource "h-rt"': "ge-unknown-resource",
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


def test_every_refusal_of_an_operator_has_an_entry():
    for key, cluster in CLUSTERS.items():
        said = list(refusals(cluster))
        for words, entry in zip(said, entries(said, key), strict=True):
            assert entry and key in SYSTEMS[entry], f"{key}: {words}"


def test_every_source_is_used():
    known = set(yaml.safe_load((FOLDER / SOURCES).read_text(encoding="utf-8")))
    assert known == {entry.of for entry in MESSAGES if not ADDRESS.match(entry.of)} - {"twins", "facts"}


def test_a_page_that_one_entry_names_by_its_address_has_a_title_and_a_day(tmp_path):
    (tmp_path / SOURCES).write_text("{}", encoding="utf-8")
    text = GOOD.replace("of: here", "of: https://github.com/openucx/ucx/issues/6264\n  read: 2026-11-25")
    (tmp_path / "page.yml").write_text(text, encoding="utf-8")
    (entry,) = load_messages(CLUSTERS, tmp_path)
    assert (entry.source.title, entry.source.url[-4:], str(entry.source.read)) == (
        "openucx/ucx, issue 6264",
        "6264",
        "2026-11-25",
    )
    (tmp_path / "page.yml").write_text(text.replace("  read: 2026-11-25\n", ""), encoding="utf-8")
    with pytest.raises(BadInput, match="nobody knows when"):
        load_messages(CLUSTERS, tmp_path)


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("of: here", "of: there"), "`of: there` is no source"),
        (("of: here", "of: facts"), "no system refuses with `a message`"),
        (("when: running", "when: later"), "when"),
        (("means:", "meant:"), "`groups.0.messages.first.meant` is not a key"),
        (("do: Do that.", "do: Do that.\n      was: x"), "`was` needs another line"),
        (("do: Do that.", "do: Do that.\n      was: x\n      now: x"), "`was` needs another line"),
        (("of: here", "of: here\n  on: [nowhere]"), "`on: nowhere` is no system"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(tmp_path, change, said):
    source = "here: {title: A page, url: 'https://example.org', read: 2026-11-21}\n"
    (tmp_path / SOURCES).write_text(source, encoding="utf-8")
    file = tmp_path / "page.yml"
    file.write_text(GOOD, encoding="utf-8")
    assert [entry.key for entry in load_messages(CLUSTERS, tmp_path)] == ["first"]
    file.write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        load_messages(CLUSTERS, tmp_path)


def test_what_a_message_says_of_its_systems_goes_before_what_its_group_says(tmp_path):
    source = "{title: A page, url: 'https://example.org', read: 2026-11-21}"
    (tmp_path / SOURCES).write_text(f"here: {source}\nown: {source}\n", encoding="utf-8")
    text = GOOD.replace("of: here", "of: here\n  on: [lumi]")
    (tmp_path / "page.yml").write_text(f"{text}      of: own\n      on: [fir]\n", encoding="utf-8")
    (entry,) = load_messages(CLUSTERS, tmp_path)
    assert (entry.systems, entry.of) == (("fir",), "own")


def test_one_text_is_explained_once(tmp_path):
    (tmp_path / SOURCES).write_text(
        "here: {title: A, url: 'https://example.org', read: 2026-11-21}\n", encoding="utf-8"
    )
    again = GOOD[GOOD.index("    first:") :].replace("first:", "second:")
    (tmp_path / "page.yml").write_text(GOOD + again, encoding="utf-8")
    with pytest.raises(BadInput, match="`a message` is a text of first and of second"):
        load_messages(CLUSTERS, tmp_path)


def test_every_page_of_messages_is_in_the_guide():
    assert {entry.page for entry in MESSAGES} == {
        path.stem for path in (DOCS / "wrong").glob("*.md") if path.stem != "index"
    }
