"""What researchers ask the site's search, in a real browser: the right page, or part of it, comes first.

The questions are from the peers' issues and forums, in the words that people type, spelling and all; the messages and
names are as people paste them from a terminal or a script.
"""

import random
import re
import string

import pytest

from tests.site import looks
from tests.site.looks import DESK
from tests.site.pages import NAMES

DRIVERS = "learn/install-software.html#drivers-cuda-versions"
PENDING = "learn/watch-your-job.html#job-pending"

# What people type: the first answer begins with this address.
TYPED = {
    "write job script": "jobscript.html",
    "job script generator": "jobscript.html",
    "check my script": "jobscript.html",
    "choose a gpu": "learn/choose-a-gpu.html",
    "which gpu has 24 GB": "learn/choose-a-gpu.html#24-gb",
    "gpu with 80 GB": "learn/choose-a-gpu.html#80-gb",
    "arc4 replacement": "clusters/arc4",
    "how many threads": "learn/threads-and-cores",
    "gpu on puhti": "clusters/puhti",
    "my old puhti script": "clusters/puhti",
    "gpu on lumi": "clusters/lumi",
    "lumi": "clusters/lumi.html",
    "roihu": "clusters/roihu.html",
    "csc": "clusters/csc.html",
    "beluga": "clusters/beluga.html",
    "narval": "clusters/narval.html",
    "afton": "clusters/rivanna",
    "rivanna": "clusters/rivanna",
    "kestrel": "clusters/kestrel.html",
    "aire": "clusters/aire.html",
    "arc4": "clusters/arc4.html",
    "roihu partitions": "clusters/roihu.html",
    "lumi jupyter": "clusters/lumi.html#jupyter",
    "jupyter on roihu": "clusters/roihu.html#jupyter",
    "vs code lumi": "clusters/lumi.html#an-editor",
    "lumi scratch": "clusters/lumi.html#data",
    "what does a gpu hour cost on lumi": "clusters/lumi.html#what-it-costs",
    "several gpus on roihu": "clusters/roihu.html#several-gpus",
    "roihu array job": "clusters/roihu.html#many-jobs",
    "lumi two nodes": "clusters/lumi.html#more-than-one-node",
    "lumi full node": "clusters/lumi.html#a-whole-node",
    "interactive session roihu": "clusters/roihu.html#a-session",
    "pytorch on lumi": "clusters/lumi.html#software",
    "lumi login": "clusters/lumi",
    "mahti replacement": "clusters/mahti",
    "narval a100": "clusters/narval",
    "kestrel gpu job": "clusters/kestrel",
    "rivanna gpu": "clusters/rivanna",
    "trillium whole node": "clusters/trillium.html#a-whole-node",
    "cedar": "clusters/cedar.html",
    "interactive session": "clusters/",
    "which partition": "learn/what-to-ask-for.html#which-partition",
    "how many cpus per gpu": "learn/what-to-ask-for.html#how-many-cpus-per-gpu",
    "how much memory": "learn/what-to-ask-for.html#how-much-memory",
    "checkpoint": "learn/what-to-ask-for.html#longer-than-the-time-limit-checkpoints",
    "multiple gpus": "learn/several-gpus.html",
    "mixed precision": "learn/precision.html#autocast",
    "job pending": PENDING,
    "why is my job not starting": PENDING,
    "energy": "learn/energy.html",
    "energy of a job": "learn/energy.html",
    "tensor cores": "learn/precision.html#when-do-tensor-cores-work",
    "tf32": "learn/precision.html",
    "several nodes": "learn/several-nodes.html",
    "distributeddataparallel": "learn/several-gpus.html",
    "profiling": "learn/watch-your-job.html#profiling",
    "gpu utilization low": "learn/feed-the-gpu.html#gpu-idle",
    "gpu idle": "learn/feed-the-gpu.html#gpu-idle",
    "install pytorch": "learn/install-software",
    "cuda version": DRIVERS,
    "tensorflow": "learn/install-software.html#tensorflow-with-conda",
    "is a gpu worth it": "learn/does-a-gpu-pay",
    "is it worth using a gpu for my code": "learn/does-a-gpu-pay",
    "cpu or gpu": "learn/does-a-gpu-pay",
    "many small files": "learn/feed-the-gpu.html#many-small-files",
    "read it offline": "about/offline.html",
    "what good looks like": "learn/results",
}

# What they paste, messages and names: so must the first here.
PASTED = {
    "JobHeldUser": "wrong/waiting",
    "exit code 137": "wrong/ended",
    "Bus error (core dumped)": "wrong/ended.html#exit-135",
    "ModuleNotFoundError: No module named 'torch'": "wrong/software.html#module-not-found-error",
    "Socket timed out on send/recv operation": "wrong/refused.html#controller",
    "avail_wheels": "learn/install-software.html#wheelhouse",
    "--partition=gpu-h100s": "clusters/kestrel",
    "CUDA error: no kernel image is available for execution on the device": "wrong/gpu.html#no-kernel-image",
    "RuntimeError: CUDA error: no kernel "
    "image is available for execution on the device": "wrong/gpu.html#no-kernel-image",
    "no kernel image is available": "wrong/gpu.html#no-kernel-image",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB": "wrong/gpu.html#cuda-oom",
    "cuda out of memory": "learn/pytorch.html#cuda-out-of-memory",
    "slurmstepd: error: Detected 1 oom_kill event in StepId=123456.batch. "
    "Some of the step tasks have been OOM Killed.": "wrong/ended.html#oom-kill",
    "AssertionError: Torch not compiled with CUDA enabled": "wrong/gpu.html#not-compiled",
    "sbatch: error: Batch job submission failed: "
    "Invalid account or account/partition combination specified": "wrong/refused.html#invalid-account",
    "sbatch: error: Batch job submission failed: "
    "Requested node configuration is not available": "wrong/refused.html#node-configuration",
    "sbatch: error: Invalid generic resource (gres) specification": "wrong/refused.html#invalid-gres",
    "slurmstepd: error: *** JOB 123456 ON g1101 "
    "CANCELLED AT 2026-11-20T12:00:00 DUE TO TIME LIMIT ***": "wrong/ended.html#due-to-time-limit",
    "module: command not found": "wrong/software.html#module-not-found",
    "No devices were found": "wrong/gpu.html#no-devices",
    "RuntimeError: No CUDA GPUs are available": "wrong/gpu.html#no-cuda-gpus",
    "CUDA driver version is insufficient for CUDA runtime version": "wrong/gpu.html#driver-insufficient",
    "the provided PTX was compiled with an unsupported toolchain": "wrong/gpu.html#ptx-toolchain",
    "(QOSMaxGRESPerUser)": "wrong/waiting.html#qos-max-user",
    "PD (Priority)": PENDING,
    "ReqNodeNotAvail, UnavailableNodes": "wrong/waiting.html#req-node-not-avail",
    "DependencyNeverSatisfied": "wrong/waiting.html#dependency-never",
    "Job violates accounting/QOS policy (job "
    "submit limit, user's size and/or time limits)": "wrong/refused.html#violates-policy",
    "All GPU requests must specify a GPU model or an instance model": "wrong/refused.html#gpu-model",
    "Please specify one of the following accounts to submit this job:": "wrong/refused.html#accounts-to-choose",
    "small-g": "clusters/lumi",
    "standard-g": "clusters/lumi",
    "dev-g": "clusters/lumi",
    "--partition=small-g": "clusters/lumi",
    "gpu-h100s": "clusters/kestrel",
    "gpularge": "clusters/roihu",
    "gpuinteractive": "clusters/roihu",
    "gpu-mig": "clusters/rivanna",
    "gpu:v100": "clusters/",
    "--gres=gpu:v100:1": "clusters/",
    "--gpus-per-node=h100:1": "clusters/",
    "gpu:gh200:1": "clusters/roihu",
    "AU": "clusters/",
    "GCD": "clusters/lumi",
    "mi250x": "learn/results.html#v100-a100",
    "h200": "learn/results.html#v100-a100",
    "gh200": "learn/results.html#v100-a100",
    "SLURM_TMPDIR": "clusters/",
    "$SLURM_TMPDIR": "clusters/",
    "CUDA_VISIBLE_DEVICES": "learn/gpu-variables.html#written",
    "SLURM_GPUS_ON_NODE": "learn/gpu-variables.html#written",
    "ROCR_VISIBLE_DEVICES": "learn/gpu-variables.html",
    "OMP_NUM_THREADS": "learn/threads-and-cores",
    "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK": "learn/threads-and-cores",
    "CONDA_OVERRIDE_CUDA": "learn/install-software",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "learn/gpu-variables.html#yours-to-set",
    "DISABLE_DCGM": "learn/gpu-variables.html#yours-to-set",
    "torchrun": "learn/several-",
    "GradScaler": "learn/precision.html#autocast",
    "num_workers": "learn/feed-the-gpu.html#dataloader-workers",
    "nvidia-smi": "learn/watch-your-job.html",
    "rocm-smi": "clusters/lumi.html#watch-it",
    "MaxRSS": "clusters/",
    "nsys profile": "learn/watch-your-job.html#profiling",
    "aus_report": "clusters/kestrel.html#what-it-costs",
    "lumi-aif-singularity-bindings": "clusters/lumi.html#software",
    "python-pytorch": "clusters/roihu.html#software",
    "pytorch-gpu": "learn/install-software.html#the-trap",
    "cuda126": "learn/install-software.html#read-the-build-string",
    "sm_70": DRIVERS,
    "SLURM_ARRAY_TASK_ID": "learn/what-to-ask-for.html#many-runs",
    "lumi.csc.fi": "clusters/lumi",
    "roihu-gpu.csc.fi": "clusters/roihu",
    "kestrel-gpu.hpc.nlr.gov": "clusters/kestrel",
    "def-myself": "clusters/",
    "sinteractive": "clusters/roihu.html#a-session",
    "--numa-binding=exclusive": "clusters/lumi.html#a-whole-node",
}

# Where several places answer: one of the first three.
AMONG_THREE = {
    "torch.cuda.is_available() False": "learn/pytorch.html#pytorch-sees-no-gpu",
    "scratch storage": "clusters/",
    "without a gpu": "clusters/",
    "conda environment gpu": "learn/install-software",
    "pytorch not using gpu": "learn/pytorch.html",
    "apptainer container": "learn/install-software.html#containers",
    "/flash": "clusters/lumi.html#data",
    "amd gpu": "clusters/lumi",
    "what is a gpu": "learn/what-is-a-gpu.html",
    "my first job": "learn/first-job.html",
    "streaming multiprocessor": "learn/",
    "simt": "learn/",
    "slurm script gpu example": "clusters/",
    "job time limit": "learn/what-to-ask-for",
    "array job": "learn/what-to-ask-for",
    "jupyter notebook": "learn/what-to-ask-for",
    "torch.cuda.OutOfMemoryError": "learn/pytorch",
    "torch.cuda.is_available false": "learn/pytorch",
    "invalid account or account/partition combination": "wrong/refused",
    "out of memory killed": "wrong/ended",
    "module load pytorch": "learn/install-software",
    "omp_num_threads": "learn/threads-and-cores",
    "cuda_visible_devices": "learn/gpu-variables",
}

# Each question, the address that its answer begins with, and the last rank that this may have.
QUESTIONS = [
    *((question, wanted, 1) for question, wanted in (TYPED | PASTED).items()),
    *((question, wanted, 3) for question, wanted in AMONG_THREE.items()),
]


# The addresses that the search box shows, best first: of each page the best part, to which Enter leads.
ANSWER = """question => search.answer(question)
  .map(parts => parts.reduce((best, part) => part.score > best.score ? part : best).location)"""
LOAD = """async () => {
  const index = await (await fetch('../search/search_index.json')).json()
  window.search = new GuideSearch(index.docs)
}"""


@pytest.fixture(scope="module")
def page(browser, address):
    """A page whose search box has been used; window.search ranks without the box."""
    context = browser.new_context(viewport={"width": DESK, "height": looks.HEIGHT})
    context.set_default_timeout(60_000)
    context.add_init_script(looks.WATCH)
    page = context.new_page()
    page.goto(f"{address}/about/how-checked.html")
    looks.search(page, "gpu")
    page.evaluate(LOAD)
    yield page
    context.close()


@pytest.fixture(scope="module")
def ask(page):
    """Ask the search a question; returns what it finds, best first."""
    return lambda question: page.evaluate(ANSWER, question)


def with_a_typo(question: str) -> str | None:
    """One letter of the question added, dropped, exchanged or swapped; None if every word is too short for that."""
    chance = random.Random(question)
    words = list(re.finditer("[A-Za-z]{4,}", question))
    if not words:
        return None
    word = chance.choice(words)
    at = chance.randrange(word.start() + 1, word.end() - 1)
    before, one, two, after = question[:at], question[at], question[at + 1], question[at + 2 :]
    other = chance.choice(string.ascii_lowercase)
    return before + chance.choice((one + other + two, two, other + two, two + one)) + after


def fault(question: str, wanted: str, last: int, found: list[str]) -> str | None:
    """What is wrong with an answer, and what to do about it; None if the wanted one stands at rank `last` or above."""
    ranks = [rank for rank, place in enumerate(found, 1) if place.startswith(wanted)]
    if ranks and ranks[0] <= last:
        return None
    page = f"docs/{wanted.replace('.html', '.md')}" if "." in wanted else f"a page in docs/{wanted}"
    stands = f"stands at rank {ranks[0]} of {len(found)}" if ranks else f"is not among the {len(found)} found"
    first = ", ".join(f"{rank} {name}" for rank, name in enumerate(found[:5], 1)) or "nothing"
    return (
        f"who searches for `{question}` needs {page}, which {stands}. Found were: {first}. "
        f"Put the question's words into a heading or the first sentence of a part of {page}, "
        "or take them out of a heading of the pages before it; "
        "if one of those answers the question now, name it in tests/site/test_search.py."
    )


@pytest.mark.parametrize(("question", "wanted", "last"), QUESTIONS, ids=[question for question, _, _ in QUESTIONS])
def test_the_right_place_is_found_first(question, wanted, last, ask):
    if wrong := fault(question, wanted, last, ask(question)):
        pytest.fail(wrong, pytrace=False)


def test_nine_of_ten_questions_are_answered_despite_a_typo(ask):
    asked = [(typo, wanted, last) for question, wanted, last in QUESTIONS if (typo := with_a_typo(question))]
    wrong = [said for typo, wanted, last in asked if (said := fault(typo, wanted, last, ask(typo)))]
    assert len(asked) > 140 and len(wrong) <= len(asked) / 10, "\n".join(wrong)


@pytest.mark.parametrize("question", ["lumi two nodes", "(QOSMaxGRESPerUser)", "gpu ust", "checkp", "qwertzuiop"])
def test_the_box_shows_what_the_search_finds(question, page, ask):
    page.fill(".md-search__input", "")
    page.keyboard.press("Escape")
    assert looks.search(page, question)[:5] == ask(question)[:5]  # the box adds more as one scrolls


def test_words_that_say_nothing_decide_nothing(ask):
    assert ask("gres is no for a") == ask("gres") != []


def test_a_part_of_a_word_is_enough_while_you_type(ask):
    assert ask("checkp")[0].startswith("learn/what-to-ask-for.html#longer") and ask("qwertzuiop") == []


def test_each_page_says_what_it_is_about(pages):
    """Title, description and main heading: there, and each page's own."""
    seen = {"title": {}, "description": {}, "h1": {}}
    for name in NAMES:
        soup = pages[name]
        seen["title"][name] = soup.title.get_text()
        seen["description"][name] = soup.find("meta", attrs={"name": "description"})["content"]
        seen["h1"][name] = soup.h1.get_text()
        assert 50 <= len(seen["description"][name]) <= 220, (
            f"{name}: a description of {len(seen['description'][name])} letters"
        )
    for what, texts in seen.items():
        assert len(set(texts.values())) == len(texts), f"two pages have the same {what}"
