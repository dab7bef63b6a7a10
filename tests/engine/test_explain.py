"""What somebody pastes is explained as the guide's pages explain it, with the system's own numbers."""

import json
import re
import subprocess
from pathlib import Path

from scripts.jobscript.node import node
from scripts.messages.match import ANY, explain, pattern

from scripts.engine.data.messages import ABOUT, TOPIC, here, messages, taught
from scripts.facts import load_all
from scripts.messages import load_messages
from scripts.paths import SNIPPETS

CASES = Path(__file__).with_name("explain_cases.cjs")
CLUSTERS = load_all()
MESSAGES = load_messages(CLUSTERS)
TEXTS = [(entry, text) for entry in MESSAGES for text in entry.message.texts]
PASTED = [
    "sbatch: error: Requested node configuration is not available",
    "RuntimeError: CUDA error: no kernel image is available for\nexecution on the device",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total",
    "123 gpu one-gpu me PD 0:00 1 (QOSMaxGRESPerUser)",
    "(ReqNodeNotAvail, UnavailableNodes:r01g[01-04])",
    "nothing that anybody knows",
    "",
    "<img src=x onerror=alert(1)>",
]


DATA = {
    "systems": {
        key: {"key": key, "kind": cluster.scheduler.kind, "here": here(cluster), "taught": taught(cluster)}
        for key, cluster in CLUSTERS.items()
    },
    "data": {"messages": messages()},
}


def engine(texts: list[tuple[str, str]]) -> dict:
    asked = {"data": DATA, "texts": texts, "patterns": [text for _, text in TEXTS]}
    done = subprocess.run(
        [node(), str(CASES)], input=json.dumps(asked), capture_output=True, encoding="utf-8", check=True
    )
    return json.loads(done.stdout)


def test_each_text_of_each_message_finds_its_own_entry():
    """As it stands, with something in place of what differs, and within other lines."""
    written = [text.replace(ANY, "17") for _, text in TEXTS]
    within = [f"line one\n{text}\nand one more" for text in written]
    texts = [text for _, text in TEXTS] + written + within + PASTED
    answer = engine([("kestrel", text) for text in texts])
    assert answer["patterns"] == [pattern(text) for _, text in TEXTS]
    wanted = [explain(text, MESSAGES) for text in texts]
    for text, found, entry in zip(texts, answer["found"], wanted, strict=True):
        assert [each["key"] for each in found[:1]] == ([entry.key] if entry else []), text
    for (entry, text), found in zip(TEXTS, answer["found"], strict=False):
        first = found[0]
        assert first["key"] == entry.key and first["link"] == f"wrong/{entry.page}.html#{entry.key}", text
        assert first["means"] and first["cure"] and "](" not in first["means"] + first["cure"]
        assert first["elsewhere"] == ("kestrel" not in entry.systems), text


def test_several_messages_of_a_log_are_each_told():
    log = "sbatch: error: A time limit is required\nTraceback\nModuleNotFoundError: No module named 'torch'\n"
    (found,) = engine([("fir", log)])["found"]
    assert {each["key"] for each in found} >= {"time-required", "module-not-found-error"}


def test_the_numbers_are_the_systems_own():
    keys = {entry.key for entry in MESSAGES}
    assert set(TOPIC) <= keys and len(TOPIC) == sum(len(each.split()) for each in ABOUT.values())
    (found,) = engine([("kestrel", "Requested time limit is invalid (missing or exceeds some limit)")])["found"]
    assert "10 days: `gpu-h100l`" in found[0]["here"] and "-stdby" not in found[0]["here"]
    for key, cluster in CLUSTERS.items():
        told = here(cluster)
        if cluster.policy.sample_account:
            assert cluster.policy.sample_account in told["account"], key
        for gpu in cluster.gpus.values():
            assert gpu.request in told["gpu"], key
        if any(each.max_time for each in cluster.partitions.values()):
            assert any(name in told["time"] for name in ("day", "hour")), key


def test_a_line_is_proposed_in_the_form_that_the_systems_page_teaches():
    """Each line of a script that any message proposes, on any system that says it, is one that the page would take."""
    asked = {
        key: [(key, text) for entry, text in TEXTS if key in entry.systems and entry.message.now] for key in CLUSTERS
    }
    for key, cluster in CLUSTERS.items():
        script = (SNIPPETS / key / "one_gpu.sh").read_text(encoding="utf-8")
        own = {re.sub(r"[=:]\S*", "", line) for line in script.splitlines() if line.startswith("#")}
        gpu = next(line for line in script.splitlines() if re.match(r"#SBATCH --(gres|gpus)|#\$ -l coproc", line))
        proposed = {found[0]["now"] for found in engine(asked[key])["found"]} - {None}
        for line in proposed:
            of_gpu = re.match(r"#SBATCH --(gres=gpu|gpus)|#\$ -l coproc", line)
            assert not of_gpu or line[:-1] == gpu[:-1], (key, line)
            named = re.match(r"#SBATCH --(mem|partition|account)=", line)
            assert not named or re.sub(r"[=:]\S*", "", line) in own, (key, line)
            assert cluster.scheduler.kind == "slurm" or not re.match(r"#SBATCH|s(control|batch|run|queue) ", line), line


def test_the_gpu_of_fir_is_asked_for_as_fir_wants_it():
    (found,) = engine([("fir", "RuntimeError: No CUDA GPUs are available")])["found"]
    assert found[0]["now"] == "#SBATCH --gpus-per-node=h100:1" and found[0]["was"] is None
    (arc4,) = engine([("arc4", "RuntimeError: No CUDA GPUs are available")])["found"]
    assert arc4[0]["now"] == "#$ -l coproc_v100=1"


def test_much_text_ends():
    """A log of a megabyte is read from its end."""
    (found,) = engine([("kestrel", "error " * 200_000 + "\nA time limit is required\n")])["found"]
    assert found[0]["key"] == "time-required"
