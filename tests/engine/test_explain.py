"""What somebody pastes is explained as the guide's pages explain it, with the system's own numbers."""

import re
from pathlib import Path

import pytest
import yaml

from scripts.engine.ask import ask
from scripts.engine.data.messages import ABOUT, TOPIC, here
from scripts.markdown import in_larger_units
from scripts.messages import load_messages
from scripts.paths import SNIPPETS
from tests.clusters import CLUSTERS
from tests.messages.explained import ANY

MESSAGES = load_messages(CLUSTERS)
TEXTS = [
    (entry, "\n".join([text, *(entry.message.beside or [])[:1]])) for entry in MESSAGES for text in entry.message.texts
]
HERE = {key: here(cluster) for key, cluster in CLUSTERS.items()}
# Where an entry is explained: one that needs a fact, on the first system that has it.
WHERE = {
    entry.key: next(key for key in ("kestrel", *HERE) if not entry.message.fact or entry.message.fact in HERE[key])
    for entry in MESSAGES
}
PASTED = yaml.safe_load(Path(__file__).with_name("pasted.yml").read_text(encoding="utf-8"))
NOTHING = ["nothing that anybody knows", "", "<img src=x onerror=alert(1)>"]


def by_system(part: str) -> list[tuple]:
    """(system, what is pasted, what it gives), of a part of pasted.yml."""
    return [(key, *row) for key, rows in PASTED[part].items() for row in rows.items()]


def explained(texts: list[tuple[str, str]]) -> list[list[dict]]:
    return ask("explain", CLUSTERS.values(), texts)


def test_each_text_of_each_message_finds_its_own_entry():
    """As it stands; and with something in place of what differs, within other lines."""
    within = [f"line one\n{text.replace(ANY, '17')}\nand one more" for _, text in TEXTS]
    every = [text for _, text in TEXTS] + within
    answers = explained([(WHERE[TEXTS[place % len(TEXTS)][0].key], text) for place, text in enumerate(every)])
    for place, found in enumerate(answers):
        entry, text = TEXTS[place % len(TEXTS)]
        assert [each["key"] for each in found[:1]] == [entry.key], every[place]
    for (entry, text), (first, *_) in zip(TEXTS, answers, strict=False):
        assert first["link"] == f"wrong/{entry.page}.html#{entry.key}", text
        assert first["means"] and first["cure"] and "](" not in first["means"] + first["cure"]
        assert first["elsewhere"] == (WHERE[entry.key] not in entry.systems), text


GENERAL = """srun: job 17 queued and waiting for resources
srun: job 17 has been allocated resources
Traceback (most recent call last):
RuntimeError: {}
make: *** [all] Error 2
MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD
slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2026-11-27T10:00:00 DUE TO TASK FAILURE ***
srun: error: n1: task 0: Exited with exit code 2
"""


def test_a_general_line_never_stands_before_a_cause():
    """A text that tells a cause is first, whatever lines of every log are around it or have it in them."""
    causes = [
        entry for entry in MESSAGES if not (entry.message.rank or entry.group.rank) and entry.group.when != "waiting"
    ]
    texts = dict((entry.key, text) for entry, text in reversed(TEXTS))
    logs = [GENERAL.format(texts[entry.key].replace(ANY, "17")) for entry in causes]
    answers = explained([(WHERE[entry.key], log) for entry, log in zip(causes, logs, strict=True)])
    assert [first["key"] for first, *_ in answers] == [entry.key for entry in causes]
    step = "*** STEP 1.0 ON n1 CANCELLED AT 2026-11-27T10:00:00 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***"
    ((first, *_),) = explained([("kestrel", f"slurmstepd: error: {step}")])
    assert first["key"] == "due-to-node-failure"


LAIF = "module use /appl/local/laifs/modules; module load lumi-aif-singularity-bindings; srun singularity run"
IMAGE = CLUSTERS["lumi"].software.images[0]
OF_FACTS = ("lumi", "Could not find any nv files on this host!", f"{LAIF} {IMAGE} python3 train.py")
WIBBLE = "wibble exceeds the time limit partition"


def test_what_the_guide_does_not_know_leads_further():
    unknown = ask("unknown", CLUSTERS.values(), [("kestrel", f"me@login1 ~$ frob\n{WIBBLE}", [])])
    assert unknown[0]["terms"] == WIBBLE
    near = [each["link"] for each in unknown[0]["near"]]
    assert near[0] == "wrong/refused.html#time-limit" and len(near) <= 3 and "wibble" in unknown[0]["search"]
    assert "HPC-Help@nlr.gov" in unknown[0]["ask"] and "your script" in unknown[0]["ask"]
    (found,) = explained([("kestrel", "Traceback (most recent call last)")])
    (general,) = ask("unknown", CLUSTERS.values(), [("kestrel", "Traceback (most recent call last)", found)])
    assert [each["key"] for each in found] == ["traceback"] and "only the general lines" in general["said"]
    assert ask("unknown", CLUSTERS.values(), [("fir", "GPU 0\nAError: bad", [])])[0]["terms"] == "AError bad GPU"
    leads = {
        "my job is stuck in queue": ("waiting.html", ""),
        "Why does my job not start?": ("waiting.html", ""),
        "my job was killed": ("ended.html", ""),
        "job rejected": ("refused.html", ""),
        "is_available torch.cuda.is_available false": (
            "language-models.html#torch-cpu-build",
            " with a CPU-only build",
        ),
    }
    answers = ask("unknown", CLUSTERS.values(), [("kestrel", text, []) for text in leads])
    for answer, (link, sign) in zip(answers, leads.values(), strict=True):
        assert (f"wrong/{link}", sign) in [(each["link"], each["sign"]) for each in answer["near"]]
    (found,) = explained([("kestrel", "CUDA out of memory")])
    assert ask("unknown", CLUSTERS.values(), [("kestrel", "CUDA out of memory", found)]) == [None]


@pytest.mark.parametrize("key, number", [("trillium", 1), ("fir", 0)])
def test_modules_come_after_those_that_a_system_needs_first(key, number):
    found = [each["now"] or "" for found in explained([(key, text) for _, text in TEXTS]) for each in found]
    lines = [line for line in found if re.search("module load (?!craype)(?:StdEnv|[a-z])(?!.*gromacs)", line)]
    assert len(lines) > 20 and {line.count("StdEnv/2023 ") for line in lines} == {number}


def test_what_is_no_message_is_explained_by_nothing():
    assert explained([("kestrel", text) for text in NOTHING]) == [[], [], []]


def test_several_messages_of_a_log_are_each_told():
    log = "sbatch: error: A time limit is required\nTraceback\nModuleNotFoundError: No module named 'torch'\n"
    (found,) = explained([("fir", log)])
    assert {each["key"] for each in found} >= {"time-required", "module-not-found-error"}


def test_the_numbers_are_the_systems_own():
    keys = {entry.key for entry in MESSAGES}
    assert set(TOPIC) <= keys and len(TOPIC) == sum(len(each.split()) for each in ABOUT.values())
    (found,) = explained([("kestrel", "Requested time limit is invalid (missing or exceeds some limit)")])
    assert "10 days: `gpu-h100l`" in found[0]["here"] and "-stdby" not in found[0]["here"]
    script = (
        "#SBATCH --ntasks-per-node=32 -c 4 --mem-per-cpu=8G --gres=gpu:8\nRequested node configuration is not available"
    )
    (found,) = explained([("kestrel", script)])
    assert re.search("128 cores and 1024 GiB per node.* 8 GPUs per node.*4 GPUs or 104 cores, 2 TB", found[0]["here"])
    (found,) = explained([("kestrel", f"#SBATCH -p standard\n{script}")])
    assert found[0]["here"].endswith("A node has at most: 104 cores, 961.2 GiB: `standard`.")
    ((canu, *_),) = explained(
        [("fir", "sbatch \\\n  -c 32 --mem-per-cpu=100g \\\n  a.sh\nRequested node configuration is not available")]
    )
    assert canu["here"].startswith("Your job requests 32 cores and 3200 GiB per node.")
    step = "#SBATCH -n 9\nsrun -N 2 -n 16 -c 8 a -n 9\nUnable to create step: More processors requested than permitted"
    account = "sbatch -A standard a.sh\nInvalid account or account/partition combination specified"
    (step, *_), (account, *_) = explained([("lumi", step), ("kestrel", account)])
    assert (
        "The `srun` line requests 64 cores per node. The `srun` line starts 16 tasks, and the job has 9."
        in step["here"]
    )
    assert "`standard`, which is a partition." in account["means"]
    ((guessed, *_), (other, *_)) = explained(
        [(key, "Unable to guess SLURM account") for key in ("rivanna", "narval")],
    )
    assert "`allocations` shows yours" in guessed["here"] and "`sshare" not in other["here"]
    assert HERE["narval"]["time"] == "Maximum time: 7 days: GPU jobs, CPU-only jobs."
    assert "under “Resources > Access Systems”" in HERE["narval"]["access"]
    for key, cluster in CLUSTERS.items():
        told = HERE[key]
        if cluster.policy.sample_account:
            assert cluster.policy.sample_account in told["account"], key
        for gpu in cluster.gpus.values():
            assert gpu.request in told["gpu"], key
        for name, each in cluster.partitions.items():
            assert not each.access or f"`{each.name or name}`" not in told["partition"], (key, name)
            gpus = max(sum(cluster.node_types[node].gpus.values()) for node in each.node_types)
            assert each.access or not gpus or f"{gpus} GPU{'s' * (gpus > 1)}" in told["node"], (key, name)
            sizes = [size for node in each.node_types if (size := cluster.node_types[node].memory)]
            if sizes and not each.access and "memory" in told:
                assert in_larger_units(max(sizes, key=lambda size: size.mib)) in told["memory"], key
        if any(each.max_time for each in cluster.partitions.values()):
            assert any(name in told["time"] for name in ("day", "hour")), key
        for topic, limit in {"jobs": "max_jobs", "running": "max_running_jobs"}.items():
            wanted = {getattr(p, limit) for p in cluster.partitions.values() if not (p.only_for or p.access)}
            assert wanted - {None} <= {*map(int, re.findall(r"\d+", told.get(topic, "")))}, (key, topic)


def test_a_line_is_proposed_in_the_form_that_the_systems_page_teaches():
    """Each line of a script that any message proposes, on any system that says it, is one that the page would take."""
    of_script = re.compile(r"#SBATCH|#\$|\b(?:sbatch|scontrol|squeue|srun)\b")
    found = [(entry, text) for entry, text in TEXTS if of_script.search(entry.message.now or "")]
    one_of_each = {entry.key: (entry, text) for entry, text in found}.values()
    asked = {key: [(key, text) for entry, text in one_of_each if key in entry.systems] for key in CLUSTERS}
    for key, cluster in CLUSTERS.items():
        script = (SNIPPETS / key / "one_gpu.sh").read_text(encoding="utf-8")
        own = {re.sub(r"[=:]\S*", "", line) for line in script.splitlines() if line.startswith("#")}
        gpu = next(line for line in script.splitlines() if re.match(r"#SBATCH --(gres|gpus)|#\$ -l coproc", line))
        proposed = {found[0]["now"] for found in explained(asked[key])} - {None}
        for line in proposed:
            of_gpu = re.match(r"#SBATCH --(gres=gpu|gpus)|#\$ -l coproc", line)
            assert not of_gpu or line[:-1] == gpu[:-1], (key, line)
            named = re.match(r"#SBATCH --(mem|partition|account)=", line)
            assert not named or re.sub(r"[=:]\S*", "", line) in own, (key, line)
            assert cluster.scheduler.kind == "slurm" or not re.match(r"#SBATCH|s(control|batch|run|queue) ", line), line


@pytest.mark.parametrize(
    "key, message, was, now",
    [
        ("kestrel", "no-space", None, "export TMPDIR=/scratch/$USER/tmp; mkdir -p $TMPDIR"),
        ("lumi", "invalid-partition", "#SBATCH --partition=gpuu", "#SBATCH --partition=small-g"),
        ("aire", "gpu-model-twin", None, "#SBATCH --gres=gpu:1"),
        ("fir", "no-cuda-gpus", None, "#SBATCH --gpus-per-node=h100:1"),
        ("arc4", "no-cuda-gpus", None, "#$ -l coproc_v100=1"),
        ("fir", "not-compiled", None, "python3 -m pip install --no-index torch"),
        ("lumi", "not-compiled", None, f"singularity run {IMAGE} python3 train.py"),
        ("aire", "config-program", None, "module spider gdal"),
        ("roihu", "container-path", None, 'apptainer exec --bind="$(csc-common-bind)" image.sif ./program'),
        ("lumi", "nccl-connect", None, "export NCCL_SOCKET_IFNAME=hsn"),
        ("lumi", "cuda-device-count", None, "rocm-smi"),
        ("lumi", "nvcc-older", None, None),
        ("lumi", "illegal-memory", None, "export AMD_SERIALIZE_KERNEL=3"),
        ("lumi", "container-no-shell", None, "unset SINGULARITY_BIND SINGULARITY_BINDPATH"),
        ("trillium", "smi-failed", None, "#SBATCH --gpus-per-node=1"),
        ("fir", "conda-killed", None, None),
        ("fir", "torch-rocm-version", None, None),
        ("arc4", "julia-mpi-library", None, None),
        (
            "arc4",
            "samtools-exists",
            None,
            f"rm PREFIX.{4 * '[0-9]'}.bam; samtools sort -T sort.$JOB_ID -o out.bam in.bam",
        ),
    ],
)
def test_the_line_to_replace_is_shown_unless_it_is_this_systems_own(key, message, was, now):
    text = next(text for entry, text in TEXTS if entry.key == message)
    ((first, *_),) = explained([(key, text)])
    assert (first["was"], first["now"]) == (was, now)


@pytest.mark.parametrize(
    "package, now",
    [
        ("MOLECULE", "MOLECULE"),
        ("EXTRA-PAIR", "EXTRA-PAIR"),
        # Nothing that a shell would read, and no option.
        ("$(rm -r x)", "MANYBODY"),
        ("x`id`", "MANYBODY"),
        ("<b>;id", "MANYBODY"),
        ("-rf", "MANYBODY"),
        ("A" * 81, "MANYBODY"),
    ],
)
def test_a_cures_line_has_the_pasted_word_if_it_is_plain(package, now):
    text = f"Unrecognized pair style is part of the {package} package which is not enabled in this LAMMPS binary."
    ((first, *_),) = explained([("kestrel", text)])
    assert first["now"] == f"cmake -D PKG_{now}=yes ../cmake"
    (entry,) = (entry for entry in MESSAGES if entry.key == "lammps-package")
    assert entry.message.now == "cmake -D PKG_MANYBODY=yes ../cmake"


def own_first(key: str) -> list[dict]:
    """What is said first of each text of the messages that name the system."""
    asked = [(key, text) for entry, text in TEXTS if key in entry.systems]
    return [first for first, *_ in filter(None, explained(asked))]


def test_a_cure_is_told_in_the_words_of_the_scheduler():
    asked = ["attempt to run parallel on 1 processor", "There are not enough slots available in the system"]
    (slurm,), (there,), (slots,) = explained([("puhti", asked[0]), *(("arc4", text) for text in asked)])
    assert slurm["now"] == "srun interFoam -parallel" and "`srun`" in slurm["cure"]
    assert there["now"] == "mpirun -np $NSLOTS interFoam -parallel" and "srun" not in there["means"] + there["cure"]
    assert (slots["was"], slots["now"]) == (None, "#$ -pe ib 32")
    told = [each for each in own_first("arc4") if not each["elsewhere"]]
    words = [f"{each['key']}: {each['means']} {each['cure']} {each['here']}" for each in told]
    assert [said for said in words if re.search(r"`s(?:acct|batch`|cancel|control|queue)", said)] == []


def test_a_tools_own_options_are_kept_where_no_time_is_among_them():
    texts = [f'canu gridOptions="--account=a{more}"\nDUE TO TIME LIMIT' for more in ("", " --time=1-0")]
    (kept, *_), (general, *_) = explained([("nibi", text) for text in texts])
    assert 'gridOptions="--account=a --time=24:00:00"' in kept["cure"]
    assert 'gridOptions="--time=24:00:00"' in general["cure"]


def test_a_cure_omits_conda_where_users_may_not_install_it():
    (nibi, *_), (arc4, *_) = explained([(key, "error: metadata-generation-failed") for key in ("nibi", "arc4")])
    assert arc4["cure"] == nibi["cure"].removesuffix(".") + ", or install the package with conda."


@pytest.mark.parametrize(
    "key, wrong",
    [
        ("lumi", r"(?<!\.) If `|\w$|with `--nv`|(?:^|\. )If [^,.]*\.(?: |$)|(?:CUDA|cuDNN) (?:build|module|version)"),
        ("lumi", r"(`?SINGULARITY_\w+\b).*\1|`CUDA_LAUNCH_BLOCKING"),
        ("narval", r"(?:or|,) (?:use|choose) a\w*(?: different)? partition|the line below installs conda"),
        ("trillium", r"ncrease `--mem`(?! \(in GPU)|On systems that allocate|project storage is read-only"),
        # A cure of an error while a program runs, or after a failed installation, does not assume another.
        ("kestrel", r"PyTorch, or install a|^Load the R version|`--ntasks-per-node=1`\. Several launchers"),
        ("arc4", r"`(?:srun|--ntasks|--cpus-per|--mem\b|--gres)|SLURM_JOB"),
    ],
)
def test_a_cure_is_of_whole_sentences_about_what_the_system_has(key, wrong):
    assert [each["cure"] for each in own_first(key) if re.search(wrong, each["cure"])] == []


def test_a_container_is_started_by_the_systems_own_command():
    asked = ["Cannot connect to the Docker daemon", "apptainer: command not found"]
    ((ce, *_),), ((none, *_),), ((own, *_),), ((module, *_),) = (
        explained([(key, text)]) for key in ("lumi", "kestrel") for text in asked
    )
    assert ce["now"] == "singularity pull image.sif docker://IMAGE" and "SingularityCE" in ce["cure"]
    assert own["now"] == "apptainer pull image.sif docker://IMAGE" and "Apptainer" in own["cure"]
    assert (none["now"], module["now"]) == (None, "module load apptainer")


@pytest.mark.parametrize("key, log, told", by_system("only"))
def test_no_entry_is_told_that_only_guesses(key, log, told):
    (found,) = explained([(key, log)])
    assert [each["key"] for each in found] == told


def test_much_text_ends():
    """A log of a megabyte is read from its end."""
    (found,) = explained([("kestrel", "error " * 200_000 + "\nA time limit is required\n")])
    assert found[0]["key"] == "time-required"


def test_what_the_guide_knows_of_a_system_answers_first():
    noise = "\n".join(f'[rank0]:   File "/lib/a.py", line {line}, in call' for line in range(40))
    log = f"[rank0]: Traceback (most recent call last):\n{noise}\n{{}}\nslurmstepd: error: exit code 1\n"
    asked = {
        "rorqual": ("Network is unreachable", "Rorqual's compute nodes have no internet access."),
        "fir": ("Network is unreachable", "Fir's compute nodes have internet access"),
        "trillium": ("OSError: [Errno 30] Read-only file system: '/home/me'", "In jobs on Trillium, `$HOME`"),
        "narval": (
            "wandb: Network error (a), entering retry loop",
            "Narval's compute nodes have no internet access. Weights & Biases cannot reach its server, so the program",
        ),
        "roihu": ("execve(): /a/b: Exec format error", "Roihu's nodes have two kinds of processors. Install"),
        "lumi": ("a.sif --nv\n[rank0]: Found no NVIDIA driver on your system", "LUMI's GPUs are from AMD."),
        # Whatever is pasted, a system that is out of service comes first.
        "cedar": ("No space left on device", "Cedar has been out of service since September 12, 2025. Its"),
    }
    found = explained([(key, log.format(f"[rank0]: {text}")) for key, (text, _) in asked.items()])
    for (first, *_), (_, fact) in zip(found, asked.values(), strict=True):
        assert first["means"].startswith(fact) and "On many systems" not in first["means"]


@pytest.mark.parametrize("log, key", PASTED["first"].items())
def test_the_cause_comes_first(log, key):
    ((first, *_),) = explained([("kestrel", log)])
    assert first["key"] == key


@pytest.mark.parametrize("key, log, now", [*by_system("now"), OF_FACTS])
def test_a_line_has_what_was_pasted_and_what_the_system_has(key, log, now):
    ((first, *_),) = explained([(key, log)])
    assert first["now"] == now


def test_a_word_of_any_prose_is_no_reason():
    assert explained([("kestrel", "torch: None"), ("kestrel", "Resources are described below")]) == [[], []]


def test_beside_a_script_its_other_lines_are_not_forgotten():
    script, refused = ["#SBATCH --nodes=1", "#SBATCH -p a", "#SBATCH --qos=b"], "Invalid partition name specified"
    whole, part, other = explained([("kestrel", "\n".join(lines)) for lines in (
        [*script, refused], [*script[1:], refused], [*script, "CUDA out of memory"])])  # fmt: skip
    assert "check the whole script" in whole[0]["cure"]
    assert not any("whole script" in each["cure"] for each in part + other + whole[1:])
