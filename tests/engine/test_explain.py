"""What somebody pastes is explained as the guide's pages explain it, with the system's own numbers."""

import re

import pytest

from scripts.engine.ask import ask
from scripts.engine.data.messages import ABOUT, TOPIC, here
from scripts.facts import load_all
from scripts.markdown import in_larger_units
from scripts.messages import load_messages
from scripts.paths import SNIPPETS
from tests.messages.explained import ANY

CLUSTERS = load_all()
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
NOTHING = ["nothing that anybody knows", "", "<img src=x onerror=alert(1)>"]


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


LOADED_BEFORE = 'Cannot load module "netcdf/4.7.4" without these module(s) loaded:\n   hdf5'
LMOD = "These module(s) or extension(s) exist but cannot be loaded as requested:"
TORCHRUN = "torchrun --standalone --nproc-per-node=gpu all_gpus.py"
TPU = "Unable to initialize backend 'tpu': libtpu.so: cannot open shared object file: No such file or directory"
WATCHDOG = "[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1) ran for 1 milliseconds"
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
        "is_available torch.cuda.is_available false": ("gpu.html#torch-cpu-build", " with a CPU-only build"),
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
        ("lumi", "not-compiled", None, f"singularity run {CLUSTERS['lumi'].software.images[0]} python3 train.py"),
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
        ("arc4", "samtools-exists", None, "rm ./*.tmp.[0-9]*.bam; samtools sort -T sort.$JOB_ID -o out.bam in.bam"),
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


def test_a_cure_is_told_in_the_words_of_the_scheduler():
    asked = ["attempt to run parallel on 1 processor", "There are not enough slots available in the system"]
    (slurm,), (there,), (slots,) = explained([("puhti", asked[0]), *(("arc4", text) for text in asked)])
    assert slurm["now"] == "srun interFoam -parallel" and "`srun`" in slurm["cure"]
    assert there["now"] == "mpirun -np $NSLOTS interFoam -parallel" and "srun" not in there["means"] + there["cure"]
    assert (slots["was"], slots["now"]) == (None, "#$ -pe ib 32")
    own = [text for entry, text in TEXTS if "arc4" in entry.systems]
    told = [
        each for found in explained([("arc4", text) for text in own]) for each in found[:1] if not each["elsewhere"]
    ]
    words = [f"{each['key']}: {each['means']} {each['cure']} {each['here']}" for each in told]
    assert [said for said in words if re.search(r"`s(?:acct|batch`|cancel|control|queue)", said)] == []


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
    own = [text for entry, text in TEXTS if key in entry.systems]
    cures = [each["cure"] for found in explained([(key, text) for text in own]) for each in found[:1]]
    assert [cure for cure in cures if re.search(wrong, cure)] == []


def test_a_container_is_started_by_the_systems_own_command():
    asked = ["Cannot connect to the Docker daemon", "apptainer: command not found"]
    ((ce, *_),), ((none, *_),), ((own, *_),), ((module, *_),) = (
        explained([(key, text)]) for key in ("lumi", "kestrel") for text in asked
    )
    assert ce["now"] == "singularity pull image.sif docker://IMAGE" and "SingularityCE" in ce["cure"]
    assert own["now"] == "apptainer pull image.sif docker://IMAGE" and "Apptainer" in own["cure"]
    assert (none["now"], module["now"]) == (None, "module load apptainer")


@pytest.mark.parametrize(
    "key, log, told",
    [
        # `command not found` is a part of what fakeroot's entry says.
        (
            "kestrel",
            "INFO: fakeroot command not found\nFATAL: conveyor failed to get: while copying pseudo devices: "
            "while creating /a: operation not permitted",
            ["fakeroot-missing"],
        ),
        # Slurm's word for many causes would guess another.
        ("fir", "sbatch: error: AssocMaxSubmitJobLimit\nJob violates accounting/QOS policy", ["qos-max-submit"]),
        ("arc4", "17/20 FAILED\nTraceback (most recent call last)\nCUDA out of memory", ["cuda-oom"]),
        ("arc4", "17/20 FAILED\nTraceback (most recent call last)", ["traceback"]),
        (
            "roihu",
            "aarch64\nCould not find a version that satisfies the requirement a<2 (from versions: 0.1, 2.6)\n"
            "ERROR: No matching distribution found for a<2",
            ["no-matching-arm-version"],
        ),
        # What follows from the cause, and what a general line says of it.
        ("roihu", "fatal: not a git repository\nCUDA_HOME environment variable is not set", ["cuda-home"]),
        (
            "aire",
            "fork: retry: Resource temporarily unavailable\nFailed to parse remote port from server output",
            ["processes"],
        ),
        (
            "arc4",
            'canu 2.2\nCRASH: Failed to submit compute jobs\nUnable to run job: denied: host "n1" is no submit host',
            ["canu-submit-host", "ge-not-submit-host"],
        ),
        ("kestrel", "salloc: Pending job allocation 17\nsalloc: Granted job allocation 17", ["allocated"]),
    ],
)
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


@pytest.mark.parametrize(
    "log, key",
    [
        # Of two causes, the one before a build's failed step.
        ("ld: cannot find -la\nmake: *** [a] Error 1\nConfiguration failed because b was not found.", "link-library"),
        ("bash: BASH_FUNC_m(): line 0: syntax error near unexpected token `)'\nCUDA out of memory", "cuda-oom"),
        ("-o a.so a.o Hi -lR\ng++: Hi: No such file or directory", "r-profile-prints"),
        ("#SBATCH --gres=\n#SBATCH -n 1\nInvalid Trackable RESource (TRES) specification", "gres-empty"),
        ("srun --export=A=1 ls\nexecve(): ls: No such file or directory", "execve-export"),
        # What follows from an error, and the system's word for many causes, come after it.
        ("Can't lock file: /a/.nextflow/history\nsrun: error: n1: task 0: Exited with exit code 1", "nextflow-locks"),
        ("salloc: error: QOSMinNode\nsalloc: error: Job violates accounting/QOS policy (job limit, …)", "qos-min"),
        ("Cannot allocate memory\n*** STEP 5.0 ON n1 CANCELLED AT 2026-11-25T09:00:00 ***", "cannot-allocate"),
        (
            "UserWarning: This DataLoader will create 8 worker processes in total.\nNo such file or directory",
            "no-such-file",
        ),
        (
            "Memory specification can not be satisfied\nRequested node configuration is not available",
            "node-specification",
        ),
        ("JobState=PENDING Reason=Priority Dependency=(null)\n   Requeue=1 ExitCode=0:0", "priority"),
        ("1  train  FAILED  1:0\n1.extern  COMPLETED  0:0", "failed"),
        ('error reason 1: [3:2]: error: can\'t open output file "/a/b": No such file or directory', "ge-output"),
        ("mpirun -np 8  /o/orca_gtoint_mpi a.int.tmp a\n[file orca_tools/qcmsg.cpp, line 465]:", "orca-mpi"),
        ('denied: host "n1" is no submit host.\njob.sh: line 3: task: command not found', "ge-not-submit-host"),
        ("8122 0.50500 train.sh me Eqw 04/26/2018 11:19:12 1\nerror: can't chdir to /home/me", "ge-chdir"),
        ("FI_CXI_RX_MATCH_MODE=[hybrid|software] is required\nsrun: error: n1: task 7: Aborted", "cxi-match"),
        # GPU memory is not host memory.
        ("what():  std::bad_alloc: cudaErrorMemoryAllocation: out of memory", "cuda-error-oom"),
        ("ERROR: configuration failed for package 'a'\n library(a) : there is no package called 'a'", "r-build"),
        # The answer fits the language.
        ("unable to load shared object '/a.so':\n  /a.so: undefined symbol: dpotrf_", "r-symbol"),
        ("ImportError: /a.so: undefined symbol: _ZN5torch", "undefined-symbol-python"),
        ("./a.out: symbol lookup error: ./a.out: undefined symbol: H5open", "symbol-lookup"),
        ("./a.out: error while loading shared libraries: libmpi.so.40: cannot open shared object file", "libmpi"),
        # Ranks, dates, frames, colors and progress bars part no message.
        ("0: OMPI was not built\n0: with SLURM's PMI\n0: support", "mpi-pmi"),
        ("|  HNFORM: k-point generating vectors and reciprocal lattice are  |\n|  incommensurate |", "vasp-symmetry"),
        ("[09:00:00] > Missing GLIBC >= 2.28!", "vscode-glibc"),
        ("Server did not start successfully\n> Missing required dependencies. Please refer to our FAQ", "vscode-glibc"),
        ("70%|███ | 7/10\r80%|███ | 8/10 [00:09]\x1b[1;31mCUDA out\x1b[0;39m of memory\x1b[0m", "cuda-oom"),
        ("Error: package or namespace load failed for ‘spp’\nthere is no package called ‘spp’", "r-missing"),
        # What a general line begins, and another text of an entry that is told already, hides no cause.
        ("Traceback (most recent call last):\nAssertionError: CUDA is not available", "torch-unavailable"),
        ("configure: error: geos-config not found\nERROR: configuration failed for package ‘sf’", "config-program"),
        ("timeout in locking authority file\nCan't open display: localhost:10.0", "xauth-lock"),
        # A library's own reason comes before the line that it failed, and a specific text before a general one in it.
        (
            "MIOpen(HIP): Warning [A] open memvfs: unable to open database file\n"
            "MIOpen Error: /a: open memvfs: unable to open database file\nmiopenStatusInternalError",
            "miopen-lock",
        ),
        (
            "Loaded runtime CuDNN library: 9.1 but source was compiled with: 9.13.\nDNN library initialization failed.",
            "cudnn-older",
        ),
        ("cudnn/8.9\nLoaded runtime CuDNN library: 8.9.7 but source was compiled with: 9", "cudnn-older-module"),
        ("Could not load library libcudnn_ops.so.8. Error: /a/libnvrtc.so: undefined symbol: nvrtcGet", "cudnn-module"),
        ("RuntimeError: DataLoader worker (pid 5) is killed by signal: Bus error. It is possible", "shm"),
        ("unable to lock file, errno = 11, error message = 'Resource temporarily unavailable'", "hdf5-in-use"),
        ("unable to lock file, errno = 37, error message = 'No locks available'", "hdf5-lock"),
        (
            "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88",
            "numpy-abi",
        ),
        (
            "numpy.dtype size changed, may indicate binary incompatibility. Expected 88 from C header, got 96",
            "numpy-older",
        ),
        # What is specific comes before what only follows, and before another entry of the same text.
        ("error: can't chdir to $WORK/a: No such file or directory", "ge-variable"),
        ('The initial portion of string "$N" contains no decimal number', "ge-variable"),
        ("Reason=RaisedSignal:53(Real-time_signal_19)\nStdOut=/a/$SCRATCH/b", "directive-variable"),
        (
            "[Errno 122] Disk quota exceeded: '/a'\nAn unexpected error has occurred. Conda has prepared the above "
            "report.",
            "disk-quota",
        ),
        ("[Errno 122] Disk quota exceeded: '/projappl/p/conda3/envs/a'", "disk-quota-projappl"),
        ("[Errno 122] Disk quota exceeded: '/projects/a/b'", "disk-quota-project"),
        ("[Errno 122] Disk quota exceeded: '/scratch/me/b'", "disk-quota-scratch"),
        (
            "LD_LIBRARY_PATH=/a\nLoaded runtime CuDNN library: 9.1 but source was compiled with: 9.8.",
            "cudnn-older-module",
        ),
        ("/me/.conda-envs/a/bin/mpirun\nOMPI was not built with SLURM's PMI support", "mpi4py-own-mpi"),
        ("srun python3 a.py\nrank 0 size 1\nrank 0 size 1", "mpi-singletons"),
        (
            "Unable to guess SLURM account\nSLURM sbatch failed\nBatch job submission failed: Invalid account or "
            "account/partition combination specified",
            "snakemake-account",
        ),
        # The line beside it decides.
        ("in _remove_temp_dir\nOSError: [Errno 16] Device or resource busy: '.nfs0a4c'", "nfs-temporary"),
        ('File "/home/me/.local/lib/python3.10/a.py"\nsize changed, may indicate binary incompatibility', "user-site"),
        ("import 'torch-scatter'\nOSError: /a/torch_cluster/_grid.so: undefined symbol: _ZN2at", "pyg-wheels"),
        ("CommClosedError\n  KeyringLocked\n\n  Failed to unlock the collection!", "keyring"),
        ("error: metadata-generation-failed\nProblem encountered: NumPy requires GCC >= 9.3", "pip-old-gcc"),
        (
            "ModuleNotFoundError   Traceback (most recent call last)\nModuleNotFoundError: No module named 'spacy'",
            "notebook-other-python",
        ),
        ("Solving environment: | Killed", "conda-killed"),
        ("/anaconda3/bin/../lib/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /a)", "glibcxx-conda"),
        ("/lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /anaconda3/a.so)", "glibcxx-order"),
        ("The following packages are not available from current channels:\n  - xz==5.2.5=h7b6447c_0", "conda-builds"),
        ("The following packages are not available from current channels:\n  - samtools=1.20", "conda-packages"),
        ("lib/python3.7/a.py\nThe NVIDIA driver on your system is too old (found version 11040).", "driver-old-python"),
        ("ModuleNotFoundError: No module named 'utils.data'", "own-module"),
        ("Could not solve for environment specs\n  __cuda =* *, which is missing on the system", "conda-cuda"),
        ("mpirun -np 2 ./a\nprocess 0 of 1\nn1 process 0 of 1", "mpi-singletons"),
        ("tar: a.JPEG: Cannot open: Disk quota exceeded", "disk-quota"),
        ("Disk quota exceeded: 'a'\n/project (group def-x)  412GiB/1000GiB  500K/ 500K", "disk-quota-files"),
        ("srun: error: Task launch for StepId=1.0 failed on node n1: Unable to satisfy cpu bind request", "srun-bind"),
        ("execve(): gmx: No such file or directory\nthe following module must be loaded first", "modules-exist"),
        ("This is a normal error generated by this dummy wheel.\nerror: subprocess-exited-with-error", "wheel-dummy"),
        ("/cvmfs/a/site-packages/h5py/__init__.py\n_ARRAY_API not found", "numpy-abi-module"),
        ("srun apptainer exec --nv a.sif python a.py\nFound no NVIDIA driver on your system", "container-nv-given"),
        ("openmpi 4.1.5 conda-forge\nOMPI was not built with SLURM's PMI support", "mpi4py-own-mpi"),
        ("Error while saving file: a.ipynb disk I/O error", "jupyter-signatures"),
        ('Your "qrsh" request (h_rt=4:0:0) could not be scheduled, try again later.', "ge-interactive"),
        ("[Errno 122] Disk quota exceeded: '/home/me/.cache/huggingface/a'", "disk-quota-cache"),
        ("WARNING: The image's architecture (amd64) could not\nexec format error", "image-architecture"),
        ("ModuleNotFoundError: No module named 'keras.layers.core'", "module-part"),
        ("site-packages/mlflow/a.py\nsqlite3.OperationalError: database is locked", "mlflow-locked"),
        ("Pool(host='localhost', port=5000): Max retries exceeded with url: /a", "localhost-refused"),
        ("huggingface_hub/file_download.py\nOSError: [Errno 122] Disk quota exceeded", "disk-quota-cache"),
        ("sbatch .command.run\nsbatch: error: Memory specification can not be satisfied", "workflow-node"),
        ("CRASH: canu 2.2\nFailed to submit batch jobs\nsbatch: error: Unspecified error", "canu-grid"),
        ("wandb agent a/b\nwandb: Network error (ConnectTimeout), entering retry loop", "wandb-sweep"),
        ('[E::hts_open_format] Failed to open file "a.0000.bam" : File exists', "samtools-exists"),
        ("Signal: Segmentation fault (11)\nSignal code: Invalid permissions (2)", "gpu-aware"),
        ("jax/_src/xla_bridge.py\nno supported devices found for platform CUDA (you may need", "jax-ordinal"),
        ("torch/utils/cpp_extension.py\n#error -- unsupported GNU version!", "host-compiler-torch"),
        ("\nMEMBER: 4/8\nslurmstepd: error: *** JOB 1 ON n1 CANCELLED AT 9 DUE TO TIME LIMIT ***", "lightning-hang"),
        ("gpu:a100_3g.20gb:2\nDuplicate GPU detected : rank 1 and rank 0 both on CUDA device 81000", "nccl-mig"),
        ("nvls.cc:157 NCCL WARN Cuda failure 1 'invalid argument'\nunhandled cuda error (run", "nccl-nvls"),
        ("No available node types can fulfill resource request {'node:10.7.5.2': 0.01}", "ray-node"),
        ("failed to create user namespace: No space left on device", "user-namespace"),
        ("Downloaded artifact: CUDA\nSystemError: write: Disk quota exceeded", "julia-full"),
        ("WARNING Failed to import from vllm._C\nModuleNotFoundError: No module named 'vllm._C'", "vllm-source"),
        ("could not open mca\nunable to open mca_pml_ucx: libucp.so.0\nPML ucx cannot be selected", "mpi-ucx-library"),
        ("No PMIx server was reachable, but a PMI1/2 was detected.\nsrun: 0 of 1\n0 of 1", "mpi-pmix-server"),
        (
            "Cannot reach https://huggingface.co/a/resolve/b: offline mode is enabled\nLocalEntryNotFoundError",
            "hf-offline-set",
        ),
        ("singularity exec a.sif\nCannot append to buffer file in /tmp", "no-space-container"),
        ("Error at driver init: \nCall to cuInit results in CUDA_ERROR_STUB_LIBRARY (34)", "cuda-stub"),
        ("Failed to pull singularity image\npinging container registry: i/o timeout", "nextflow-image-network"),
        ("env/bin/accelerate\nThe server socket has failed to bind to [::]:29500 (errno: 98)", "accelerate-port"),
        ("Warning: CUDA initialization: system not yet initialized\nNo CUDA GPUs are available", "not-yet-initialized"),
        (">>> torch.cuda.is_available()\nFalse\n>>> torch.version.cuda\n>>> ", "torch-cpu-build"),
        ("detect MPI environment...\nmpi_discovery\nModuleNotFoundError: No module named 'mpi4py'", "deepspeed-mpi"),
        (
            "`srun` command is available on your system but is not used\nBut your machine only has: 1",
            "lightning-devices",
        ),
        ("SLURM sbatch failed\nsbatch: error: AssocMaxSubmitJobLimit", "workflow-queue"),
        ("Check for working C compiler: /usr/bin/cc\n gcc 5.0+ is required to build it", "cmake-system-compiler"),
        ("sbatch .command.run\nsbatch: error: Socket timed out on send/recv operation", "workflow-controller"),
        ("warning: libcuda.so.1, needed by a, not found\nundefined reference to `cuDeviceGet'", "link-cuda-driver"),
        ("ImportError: cannot import name 'A' from 'b' (/e/site-packages/b/__init__.py)", "import-version"),
        ("mkdir -p failed for path /a: Read-only file system: '/a'\nNo such file or directory", "no-such-file"),
        # A harmless line has words of another message, which may be in the paste as well.
        (f"{TPU}\nCUDA-enabled jaxlib is not installed. Falling back to cpu.", "jax-cpu"),
        (f"{TPU}\nlibfoo.so: cannot open shared object file: No such file or directory", "shared-object"),
        (TPU, "jax-noise"),
        ("assign_context command failed: Device or resource busy\nOther MPI error, error stack:", "psm2"),
        ("perl: warning: Setting locale failed.\nparallel: Error: Cannot append to buffer file in /tmp.", "no-space"),
        # A network card is no disk, and what fails is told before the process that ends all.
        ("OFI EP enable failed (ofi_init.c:1359:create_endpoint:No space left on device)", "psm2"),
        ("MPICH ERROR [Rank 1]\nKokkos::HIP::initialize ERROR: likely mismatch of architecture", "lammps-gpu"),
        ("ERROR: out of memory in /a/src/acc/cuda/a.cuh at line 436\nMPI_ABORT was invoked on rank 2", "relion-memory"),
        ("[ABORT] The specified OLD file <BASIS_MOLOPT> cannot be opened. It does not *", "cp2k-data"),
        ('SystemError: opening file "/a/b.ji": No such file or directory\nFailed to precompile MPI', "julia-race"),
        ('failed to create temporary file "a.0003.bam": Cannot allocate memory', "samtools-memory"),
        # Of two texts together, whatever else is in the log.
        ("There are not enough slots available in the system\n#SBATCH -c 4\nNetwork is unreachable", "mpi-slots-cores"),
        # What `ssh -v` prints of the key, and what a build printed before it failed.
        ("Offering public key: /a ED25519-CERT SHA256:c\na@b: Permission denied (publickey).", "publickey-certificate"),
        ("groupadd: failure while writing changes to /etc/group\nwhile running engine: exit", "container-groupadd"),
        # Versions and names differ.
        ("srun: fatal: cpus_per_task set by two different environment variables A=2 != B=cpu:1", "cores-variables"),
        ("Found cuBLAS version 120103, but JAX was built against version 120304, which is", "jax-built-against"),
        ("It looks like opal_init failed for some unknown reason", "mpi-init"),
        ("No CUDA GPUs are available\n| NVIDIA-SMI 535.1   Driver Version: 535.1 |", "gpu-not-in-step"),
        ("terminate called after throwing an instance of 'std::out_of_range'", "exit-134"),
        # As people type it.
        ("a\n" * 60 + "unable to create step: More processros requested than permitted", "step-processors"),
        ("LibMambaUnsatisfiableError:\nnothing provides __glibc >=2.28,<3.0.a0 needed by a-1", "conda-glibc"),
        ("Error executing process > 'A:B'\nDetected 1 oom_kill event in StepId=1.batch.", "workflow-memory"),
        ("torch.cuda.is_available() returns False", "torch-unavailable"),
        # What a pasted option does, and what a program in a workflow or a batch system may not.
        ("set_device(local_rank)\nCUDA error: invalid device ordinal\n#SBATCH --gpus-per-task=1", "task-gpu"),
        ("srun --gpu-bind=closest ./a\nlocal_rank\nHIP error: invalid device ordinal", "task-gpu"),
        ("srun --gpu-bind=none ./a\nlocal_rank\nCUDA error: invalid device ordinal", "ordinal-processes"),
        ("srun --gpus-per-task=1 torchrun a.py\nDuplicate GPU detected : rank 1 and rank 0 both on CUDA", "task-gpu"),
        ("fork: retry: Resource temporarily unavailable\nFailed to parse remote port from server output", "processes"),
        ('canu 2.2\nCRASH: Failed to submit compute jobs\ndenied: host "n1" is no submit host', "canu-submit-host"),
        ("jax/_src/a.py\n--gpus-per-task=1\nCUDA_ERROR_INVALID_DEVICE: invalid device ordinal", "jax-ordinal"),
        (
            "module: CUDA_ERROR_NOT_FOUND: named symbol not found\nCould not find the corresponding function",
            "xla-older",
        ),
        ("ptxas does not support CC 9.0\nCUDA_ERROR_NOT_FOUND: named symbol not found", "xla-older"),
        (
            "ptxas does not support CC 9.0\nRESOURCE_EXHAUSTED: Out of memory while trying to allocate 8 bytes",
            "jax-oom",
        ),
        # How a job ended comes after why.
        ("WARNING: Open MPI failed to\nYour Open MPI job may now hang or fail.\n DUE TO TIME LIMIT ***", "mpi-tcp"),
        ("conda: command not found\nModuleNotFoundError: No module named 'torch'", "conda-command"),
        ("Found cuDNN version 1, but JAX was built against version 2,\nDUE TO TIME LIMIT", "jax-built-against"),
        ("Skipping registering GPU devices...\nCANCELLED DUE TO TIME LIMIT", "time-limit-on-cpu"),
        (f"{WATCHDOG}\nterminate called after throwing an instance of 'c10::DistBackendError'", "nccl-watchdog"),
        (f"FileNotFoundError: [Errno 2] No such file or directory: '/a'\n{WATCHDOG}", "no-such-file"),
        # What a container, a shell or a tool adds tells more than the general line.
        ("libc.so.6: version `GLIBC_2.34' not found (required by /.singularity.d/libs/a.so)", "glibc-of-the-host"),
        ("srun --pty sh\n(Requested nodes are busy)\nJob/step already completing or completed", "step-busy-shell"),
        ('CRASH: Canu 2\njob rejected: the requested parallel environment "a" does not exist', "ge-canu-pe"),
        (
            "UserWarning: This DataLoader will create 16 worker processes in total.\n"
            "invalid usage (run with NCCL_DEBUG=WARN for details)",
            "nccl-usage",
        ),
        (
            "WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!\nHost key for a has changed and you have requested "
            "strict checking.\nThe process tried to write to a nonexistent pipe.",
            "host-key",
        ),
        # Who says it decides: a worker, a workflow, a program's own library.
        ("Error in checkForRemoteErrors(x):\n there is no package called 'sf'", "r-worker-packages"),
        ("Failed to submit process to grid\nInvalid partition name specified", "workflow-partition"),
        ("SIGSEGV (0xb)\n# C  [libgkl_pairhmm_omp1.so+0x6954a]  compute()", "gatk-native"),
        ("srun vasp_std\n one band on 1 cores,    1 groups\n running on    1 total cores", "mpi-singletons"),
        ("filelock/_unix.py\nOSError: [Errno 5] Input/output error", "hf-locks"),
        # A consequence, and a general line of the same program, come after it.
        ("mcfork():\nunable to fork, possible reason: Resource temporarily unavailable", "r-workers"),
        ("HHblits failed\nERROR: Could not open file '/a/bfd_cs219.ffdata'", "hhblits-database"),
        ("Disk quota exceeded\nError: Connecting with SSH timed out", "disk-quota"),
        ("Password+OTPToken:\nPermission denied, please try again.", "ssh-token"),
        ("libm.so.6: version `GLIBC_2.29' not found (required by a)\nversion `GLIBCXX_3' not found", "glibc"),
        ("ld.lld: error: undefined symbol: dgemm_", "link-blas"),
        ("../a.lmp: ERROR: Cannot open data file ../a.lmp (src/a.cpp:3)", "lammps-file"),
        ("[me@login3 ~]$ python a.py\nKilled", "killed-login"),
        ("ImportError: libcuda.so.1: cannot open shared object file", "libcuda"),
        ("Could not find cuda drivers on your machine", "no-cuda-driver"),
        ("Cannot run short-ranged nonbonded interactions on a GPU because no GPU is\ndetected.", "gmx-no-gpu"),
        ("make: mpif90: Command not found\nmake: *** [all] Error 127", "mpi-compiler"),
        ("orca_startup_mpi\nsh: mpirun: command not found", "orca-no-mpi"),
    ],
)
def test_the_cause_comes_first(log, key):
    ((first, *_),) = explained([("kestrel", log)])
    assert first["key"] == key


@pytest.mark.parametrize(
    "key, log, now",
    [
        ("aire", "gdal-config not found\nconfiguration failed for package 'sf'", "conda install -c conda-forge r-sf"),
        (
            "roihu",
            "Using [0]docker0:172.17.0.1<0> [1]bond0:10.1.3.1<0>\nCall to connect returned No route to host",
            "export NCCL_SOCKET_IFNAME=bond0",
        ),
        ("lumi", "NCCL_SOCKET_IFNAME=ib0\nBootstrap : no socket interface found", "export NCCL_SOCKET_IFNAME=hsn"),
        ("graham", "ssh: connect to host a port 22: Connection timed out", "ssh USER@nibi.alliancecan.ca"),
        (
            "aire",
            "Loaded runtime CuDNN library: 9.1.0 but source was compiled with: 9.8.0.",
            'unset LD_LIBRARY_PATH; python3 -m pip install -U "nvidia-cudnn-cu12~=9.8"',
        ),
        (
            "roihu",
            "aarch64\nCould not find a version that satisfies the requirement a<2,>=1 (from versions: 0.4.post1, 2.6)",
            'python3 -m pip install "a>=2.6"',
        ),
        ("roihu", "aarch64\nNo matching distribution found for a", "module spider a"),
        ("arc4", "qsub a.sh\nerror: can't chdir to $WORK", r"grep -n '^#\$ .*\$' a.sh"),
        ("fir", "sbatch a.sh\n#SBATCH --array=0-$N\nInvalid job array specification", r"grep -n '^#SBATCH.*\$' a.sh"),
        (
            "lumi",
            "[Errno 122] Disk quota exceeded: '/flash/project_4/a/b'",
            "du -sh /flash/project_4/* | sort -h | tail; du --inodes -d 1 /flash/project_4 | sort -n | tail",
        ),
        (
            "roihu",
            "[Errno 122] Disk quota exceeded: '/projappl/project_2/a/b'",
            "du --inodes -d 2 /projappl/project_2 | sort -n | tail",
        ),
        (
            "lumi",
            "Could not find any nv files on this host!",
            "module use /appl/local/laifs/modules; module load lumi-aif-singularity-bindings; srun singularity run "
            f"{CLUSTERS['lumi'].software.images[0]} python3 train.py",
        ),
        (
            "fir",
            "srun python3 a.py\nrank 0 size 1\nrank 0 size 1",
            'which mpirun; python3 -c "from mpi4py import MPI; print(MPI.Get_library_version())"',
        ),
        # The variable is of the program that cannot write.
        (
            "trillium",
            'open("/home/me/.julia/a", 194, 292): read-only file system (EROFS)',
            "export JULIA_DEPOT_PATH=$SCRATCH/julia: && julia --project -e 'using Pkg; Pkg.instantiate()'",
        ),
        (
            "trillium",
            "cannot create dir '/home/me/R', reason 'Read-only file system'",
            "mkdir -p $SCRATCH/R && export R_LIBS_USER=$_",
        ),
        (
            "trillium",
            "apptainer cache: mkdir /home/me/.apptainer/cache: read-only file system",
            "mkdir -p $SCRATCH/cache && export APPTAINER_CACHEDIR=$_",
        ),
        ("trillium", "Read-only file system: '/home/me/.triton/cache'", "export TRITON_CACHE_DIR=$SCRATCH/triton"),
        ("trillium", "Read-only file system: '/home/me/wandb'", "export WANDB_DIR=$SCRATCH"),
        ("trillium", "Read-only file system: '/home/me/.nextflow/a'", "export NXF_HOME=$SCRATCH/nextflow"),
        ("trillium", "Read-only file system: '/home/me/.matlab/a'", "export MATLAB_PREFDIR=$SCRATCH/matlab"),
        (
            "trillium",
            "Read-only file system: '/home/me/.local/lib/a'",
            "virtualenv --no-download $SCRATCH/env && source $_/bin/activate",
        ),
        (
            "rivanna",
            "Read-only file system: '/home/me/.local/lib/a'",
            "python3 -m venv /scratch/$USER/env && source $_/bin/activate",
        ),
        ("narval", "conda-forge\nOMPI was not built with SLURM's PMI support", "module load mpi4py"),
        (
            "fir",
            "apptainer exec a.sif ./run\n[Errno 2] No such file or directory: '/project/def-x/a/b.csv'",
            "apptainer exec --bind /project/def-x image.sif ./program",
        ),
        (
            "narval",
            "#SBATCH --gres=gpu:p100:4\nInvalid generic resource (gres) specification",
            "#SBATCH --gpus-per-node=a100:4",
        ),
        ("aire", "libnvrtc.so.12: cannot open shared object file: No such file", "module load cuda/12.6.2"),
        ("lumi", "libnvrtc.so.12: cannot open shared object file: No such file", None),
        ("arc4", "Module 'gnu/8' conflicts with the currently loaded module(s) 'icc/1'", "module switch icc/1 gnu/8"),
        ("rivanna", "Configuration failed because libudunits2.so was not found.", "module spider udunits"),
        ("nibi", "error: metadata-generation-failed", "python3 -m pip install --no-index PACKAGE"),
        (
            "roihu",
            "#SBATCH --gres=gpu:gh200:2\nin your SLURM bash script, but this variable is not supported",
            "#SBATCH --ntasks-per-node=2",
        ),
        ("kestrel", "GTL library is not linked", "module load craype-accel-nvidia90"),
        ("lumi", "GTL library is not linked", "module load craype-accel-amd-gfx90a rocm"),
        ("nibi", "Trying private key: /a\na@b: Permission denied (publickey)\nc.pub", "ssh -i ~/.ssh/c a@b"),
        ("arc4", '-pe mpi 80\njob rejected: the requested parallel environment "mpi" does not exist', "#$ -pe ib 80"),
        ("arc4", "java.lang.OutOfMemoryError: Metaspace", "#$ -l h_vmem=8G"),
        ("fir", "invalid literal for int() with base 10: 'MIG-3'", "export CUDA_VISIBLE_DEVICES=0"),
        ("fir", "(from pyarrow>=21.0->a)", "deactivate; module load gcc arrow/21.0; source ENV/bin/activate"),
        ("lumi", "Reason: failure-to-start", 'SLURMCluster(interface="hsn0")'),
        ("arc4", "CommClosedError", 'SGECluster(interface="INTERFACE")'),
        (
            "arc4",
            "a: Too many authentication failures",
            "ssh -o IdentitiesOnly=yes -i ~/.ssh/id_ed25519 USER@login1.aire.leeds.ac.uk",
        ),
        ("swift", "/env/bin/python: No module named ipykernel_launcher", "/env/bin/python -m pip install ipykernel"),
        ("roihu", "slurm_script: line 2: gmx_mpi: command not found", "module load gromacs-env"),
        ("fir", "--no-index\nNo matching distribution found for cupy-cuda12x", 'avail_wheels "*cupy*"'),
        ("aire", "libcudnn.so.8: cannot open shared object file", "module spider cudnn"),
        ("swift", "http://n1:8889/lab?token=1\nopen failed: connect failed", "ssh -L 8888:n1:8889 USER@HOST"),
        ("fir", "srun -n 4 torchrun a.py\nEADDRINUSE", f"srun --nodes=1 --ntasks=1 {TORCHRUN}"),
        ("rivanna", "slurm_script: line 2: samtools: command not found", "module spider samtools"),
        ("nibi", f'{LMOD} "gcc/13", "qe/6.6"', "module spider qe/6.6"),
        ("nibi", f'{LMOD} "gcc/9", "qe/6.6"', "module spider qe"),
        ("lumi", "could not use fakeroot", "module load LUMI systools; singularity build image.sif image.def"),
        ("arc4", "84121 0.55 a.sh me Eqw\nerror: can't open output file", "qmod -cj 84121"),
        ("roihu", "fatal error: hdf5.h: No such file or directory", "module spider hdf5"),
        ("fir", "sbatch -t 9 run.py\nThis does not look like a batch script", 'sbatch --wrap="python3 run.py"'),
        ("fir", "Building wheel for b3\ncan't find Rust compiler", "python3 -m pip install --no-index b3"),
        ("aire", "BAM sorting:\n re-run STAR with at least --limitBAMsortRAM 315", "STAR --limitBAMsortRAM 315"),
        (
            "aire",
            "Process `A:B (1)` terminated with an error exit status (137)",
            "process { withName: 'A:B' { memory = '32 GB'; time = '24h' } }",
        ),
        (
            "arc4",
            'job_number: 1934511\ncan\'t stat() "/n/logs" as stdout_path: No such file or directory',
            "mkdir -p /n/logs; qmod -cj 1934511",
        ),
        ("fir", "git clone https://a.b/C.git\nfatal: early EOF", "git clone --depth 1 https://a.b/C.git"),
        (
            "swift",
            "rule b:\nmem_mb=9\nSLURM sbatch failed\nCPU count: Requested node configuration is not available",
            "snakemake --set-threads b=128",
        ),
        ("lumi", "undefined reference to `mpi_init_f08_'", "CC=cc CXX=CC FC=ftn cmake -S SOURCE -B build"),
        ("nibi", "a requires numpy<2, but you have numpy 2.2", 'python3 -m pip install --no-index "numpy<2"'),
        ("fir", 'The following module(s) are unknown: "nixpkgs/1"\nline 9: vg: command not found', "module spider vg"),
        ("nibi", "sbatch run.sh\nBatch script contains DOS line breaks (\\r\\n)", "sed -i 's/\\r$//' run.sh"),
        ("mahti", "Unable to contact slurm controller (connect failure)", "ssh USER@roihu-gpu.csc.fi"),
        ("fir", "squeue -j 44556677\nInvalid job id specified", "sacct --jobs=44556677"),
        ("lumi", "a: libamdhip64.so.6: cannot open shared object file", "module load rocm"),
        ("fir", "Caused by:\n  java.nio.channels.OverlappingFileLockException", "nextflow run WORKFLOW -resume"),
        ("fir", "f951: Fatal Error: Reading module 'netcdf' at line 1 column 2:", "module spider netcdf-fortran"),
        ("fir", 'rsync a m@b:/d\nrsync: mkdir "/d" failed: No such file or directory', "ssh m@b mkdir -p /d"),
        ("fir", f'{LMOD} "a/1"\n Or load any one of these options:\n  module load b a/1', "module load b a/1"),
        ("lumi", 'Load key "/a/b": bad permissions', "chmod 600 /a/b"),
        ("fir", "a: libhdf5.so.103: cannot open shared object file", "module spider hdf5"),
        ("lumi", "#SBATCH --time=12:00:00\nRequested time limit is invalid (missing or exceeds some limit)", None),
        ("fir", "a.cpp:3:10: fatal error: Eigen/Dense: No such file or directory", "module spider eigen"),
        ("roihu", 'The following module(s) are unknown: "GROMACS"', "module load gromacs-env"),
        ("arc4", "Process requirement exceeds available memory", "process { executor = 'sge' }"),
        (
            "arc4",
            "unrecognized arguments: --cluster",
            "python3 -m pip install snakemake-executor-plugin-cluster-generic",
        ),
        ("arc4", "ERROR:105: Unable to locate a modulefile for 'a'\nModuleCmd_Load.c(2)", "module avail a"),
        (
            "mahti",
            "ORTE has lost communication with a remote daemon\nRemote daemon: 3,1] on node b1",
            "#SBATCH --exclude=b1",
        ),
        ("narval", "Cannot find Java or it's a wrong version", "module spider java"),
        ("aire", "libGL.so.1: cannot open shared object file\n/open3d/a.py", "module spider mesa"),
        ("fir", "process > 'A (1)'\nProcess exceeded running time limit", "process { withName: 'A' { time = '24h' } }"),
        # A line requests more than the pasted script.
        ("kestrel", "#SBATCH --mem=4000M\noom_kill", "#SBATCH --mem=8000M"),
        ("kestrel", "#SBATCH --mem-per-cpu=96G\nOUT_OF_MEMORY", "#SBATCH --mem-per-cpu=192G"),
        ("kestrel", "\noom_kill", "#SBATCH --mem=64G"),
        ("rivanna", "#SBATCH --gres=gpu:a100:4\noom_kill", "#SBATCH --mem=124G"),
        ("kestrel", "#SBATCH --time=02:00:00\nDUE TO TIME LIMIT", "#SBATCH --time=24:00:00"),
        ("kestrel", "#SBATCH -t 1-00:00:00\nDUE TO TIME LIMIT", None),
        (
            "kestrel",
            "#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-task=1\nCUDA error: invalid device ordinal",
            "#SBATCH --gpus=h100:4",
        ),
        # Or names what was pasted.
        (
            "kestrel",
            "Failed to pull singularity image\n command: singularity pull  --name a.img.pulling.17 docker://a\n"
            " status : 143",
            "singularity.pullTimeout = '2h'",
        ),
        (
            "kestrel",
            "Failed to pull singularity image\n command: apptainer pull a.img docker://a\n status : 143",
            "apptainer.pullTimeout = '2h'",
        ),
        ("fir", LOADED_BEFORE, "module load hdf5 netcdf/4.7.4"),
        ("fir", 'The following module(s) are unknown: "gcc/9.3.0"', "module spider gcc"),
        ("fir", "ModuleNotFoundError: No module named 'numpy'", "python3 -m pip install --no-index numpy"),
    ],
)
def test_a_line_has_what_was_pasted_and_what_the_system_has(key, log, now):
    ((first, *_),) = explained([(key, log)])
    assert first["now"] == now


def test_a_word_of_any_prose_is_no_reason():
    assert explained([("kestrel", "torch: None"), ("kestrel", "Resources are described below")]) == [[], []]
