"""The reader of bash that advice rests on, and the page's advice where the reader has no twin."""

from __future__ import annotations

from scripts.check.asked import asked

from scripts.engine.ask import ask
from scripts.facts import load_all
from scripts.paths import SNIPPETS
from tests.check.planted import job_scripts
from tests.engine import corpus
from tests.twin import kept as twins

CLUSTERS = load_all()
SCRIPT = r"""#!/bin/bash
#SBATCH --time=10
set -e  # strict
module load a; module load b && echo "x; y # z"
if [ -f x ]; then A=1 python a.py \
   --epochs 5 & fi
cat <<EOF > out.sh
pip install x
EOF
for i in 1 2; do srun /opt/run "$i" > log; done
prepare() {
  wget x
}
test -f y && make
env B=2 C=$(date +"%s") ./go 'one two'
exit 1
late"""

COMMANDS = [  # line, words, sets, certain
    (3, ["set", "-e"], [], True),
    (4, ["module", "load", "a"], [], True),
    (4, ["module", "load", "b"], [], True),
    (4, ["echo", "x; y # z"], [], True),
    (5, ["[", "-f", "x", "]"], [], True),
    (5, ["python", "a.py", "--epochs", "5"], ["A=1"], False),
    (7, ["cat"], [], True),
    (10, ["srun", "/opt/run", "$i"], [], True),
    (12, ["wget", "x"], [], False),
    (14, ["test", "-f", "y"], [], True),
    (14, ["make"], [], False),
    (15, ["./go", "one two"], ["B=2", 'C=$(date +"%s")'], True),
    (16, ["exit", "1"], [], True),
    (17, ["late"], [], False),
]


def test_commands_of_a_script():
    (found,) = ask("bash", [], [SCRIPT])
    assert [(each["line"], each["words"], each["sets"], each["certain"]) for each in found] == COMMANDS
    assert {each["name"] for each in found if each["line"] == 10} == {"srun"}


def test_what_is_not_whole_is_read_as_far_as_it_goes():
    texts = ["", "\n\n", "#!/bin/bash", "echo 'never closed", "cat <<EOF\nnever closed", "a \\", "b $(c", 'd "${e']
    assert all(len(found) <= 1 for found in ask("bash", [], texts))


def test_spoilt_scripts_are_read():
    texts = [script.decode("utf-8", "replace") for script in corpus.spoilt(300, "slurm", "advice")]
    assert sum(map(len, ask("bash", [], texts))) > 1000


def test_the_page_understands_the_guides_jobs_as_the_scheduler_does():
    """All that advice looks at: what the page takes a script to ask for is what the twin takes it to ask for."""
    wrong, compared = [], 0
    for kind in ("slurm", "grid_engine"):
        twins.need_scheduler(kind)
        for path in job_scripts(kind):
            cluster, text = CLUSTERS[path.parent.name], path.read_text(encoding="utf-8")
            answer = ask("scheduler", [cluster], cluster.key, text, "job.sh")
            if answer["verdict"] != "accepted":
                continue
            (job,) = asked(cluster, text.encode()).jobs
            theirs = {name: getattr(job, name) for name in answer["asked"] if name not in LOOSE}
            theirs["gpus"] = [vars(gpu) for gpu in job.gpus]
            compared += 1
            differ = {
                name: (value, answer["asked"][name]) for name, value in theirs.items() if value != answer["asked"][name]
            }
            wrong += [f"{path}: {differ}"] if differ else []
    assert not wrong, "\n".join(wrong[:10])
    assert compared >= 100


LOOSE = {"array", "threads_per_core"}  # as written; what counts of them is whether it is there


def test_a_verdict_holds_the_advice_and_stays_accepted():
    text = (SNIPPETS / "kestrel/one_gpu.sh").read_text(encoding="utf-8") + "exit\npython3 more.py\n"
    text = text.replace("--account=hpcapps", "--account=mine")
    (judged,) = ask("judge", [CLUSTERS["kestrel"]], "kestrel", {"job.sh": text})
    assert judged["verdict"] == "accepted"
    assert [(each["rule"], each["kind"]) for each in judged["findings"] if each["kind"] != "not judged"] == [
        ("ends-early", "unwise")
    ]
