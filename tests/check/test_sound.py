"""Sound job scripts, most of them from the operators' own guides: the check accuses none."""

import hashlib
import re
import subprocess
from collections import Counter

import pytest

from scripts.facts import load_all
from scripts.published.extract import Drawn, draw
from tests.check.many import check_many
from tests.check.sound import Repository, accusations, records
from tests.check.sound import __main__ as tool
from tests.twin import kept as twins

CLUSTERS = load_all()
SCRIPTS = {
    key: [(record, script) for record in records().values() for script in record.scripts if key in script.clusters]
    for key in CLUSTERS
}


@pytest.mark.parametrize("key", CLUSTERS)
def test_no_sound_script_is_accused(key):
    cluster = CLUSTERS[key]
    texts = [script.drawn.script(cluster.scheduler.kind).encode() for _, script in SCRIPTS[key]]
    places = [f"{record.repository}:{script.path} {script.lines or ''}" for record, script in SCRIPTS[key]]
    found = check_many(cluster, list(zip(texts, places, strict=True)))
    reports = [report for own in found for report in own]
    assert SCRIPTS[key] and [str(report) for report in accusations(reports, cluster)] == []


def test_there_are_enough_and_no_text_counts_twice(record_property):
    operators = Counter(record.operators for record in records().values() for _ in record.scripts)
    hashes = Counter(script.sha256 for record in records().values() for script in record.scripts)
    record_property("sound scripts", operators.total())
    assert operators.total() >= 300 and operators[True] >= 150
    assert [sha for sha, times in hashes.items() if times > 1] == []
    assert {key for record in records().values() for script in record.scripts for key in script.clusters} <= set(
        CLUSTERS
    )


def test_nobodys_address_is_kept():
    told = [word for record in records().values() for script in record.scripts for word in script.options]
    assert {found for word in told for found in re.findall(r"[^\s=]+@\S+", word)} <= {"someone@example.org"}


TEXT = """#!/bin/bash -l
#SBATCH --time=1:00:00  # my dog's name
#SBATCH --mail-user=ada@univ.example -N 2
##SBATCH --nodes=9
# a sentence of mine

module load gcc/12.3 ; echo loaded by Ada
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK}
export TOKEN=hunter2
cat <<'END' > notes.txt
srun not a command
END
pip install --no-index -r /home/ada/list.txt
srun -n 4 --cpu-bind=cores \\
  --output=$HOME/out ./ada &
orca "$input" > out.txt
if [ -e x ]; then /home/ada/bin/mine --now; fi
singularity exec --nv -B /home/ada ada.sif python ada.py
wait
#SBATCH --nodes=7
"""


def test_what_is_drawn_out_asks_for_the_same():
    assert draw(TEXT, "slurm") == Drawn(
        "#!/bin/bash -l",
        ("--time=1:00:00 # note", "--mail-user=someone@example.org -N 2"),
        (
            "module load gcc/12.3",
            "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK}",
            "pip install --no-index name",
            "srun -n 4 --cpu-bind=cores ./program &",
            "orca input",
            "singularity exec --nv image.sif ./program",
            "wait",
        ),
    )
    assert draw("#!/bin/sh\n#$ -cwd -V\n# words\necho\n#$ -l h_rt=1:0:0\n", "grid_engine") == Drawn(
        "#!/bin/sh", ("-cwd -V", "-l h_rt=1:0:0"), ("./program",)
    )


@pytest.mark.parametrize("record", records().values(), ids=[path.stem for path in records()])
def test_a_script_rebuilt_is_drawn_as_the_same(record):
    for script in record.scripts:
        kind = CLUSTERS[script.clusters[0]].scheduler.kind
        assert draw(script.drawn.script(kind), kind) == script.drawn, script.path


PAGE = """# A page

  ```bash
  #!/bin/bash
  #SBATCH --account=<project> --partition=small
  #SBATCH --time=10:00
  srun ./mine
  ```
"""
CUT = "#!/bin/bash\n#SBATCH --account=<project> --partition=small\n#SBATCH --time=10:00\nsrun ./mine\n"


@pytest.fixture
def clone(tmp_path):
    """A clone with one page, and the record of its script; `record(key=value)` changes the script's entry."""
    folder = tmp_path / "clone"

    def git(*words: str) -> str:
        name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        return subprocess.run(
            ["git", *name, "-C", folder, *words], check=True, capture_output=True, encoding="utf-8"
        ).stdout

    folder.mkdir()
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "A page")

    def record(**changed: object) -> Repository:
        entry = {
            "clusters": ["roihu"],
            "path": "page.md",
            "lines": (4, 7),
            "sha256": hashlib.sha256(CUT.encode()).hexdigest(),
            "filled": {"--account=<project>": "--account=project_2004567"},
            "shell": "#!/bin/bash",
            "options": ["--account=project_2004567 --partition=small", "--time=10:00"],
            "commands": ["srun ./program"],
            "verdict": "accepted",
        }
        commit = git("rev-parse", "HEAD").strip()
        return Repository(repository="some/one", commit=commit, operators=True, scripts=[entry | changed])

    return folder, record


@pytest.mark.parametrize(
    "changed, said",
    [
        ({}, None),
        ({"lines": (3, 7)}, "not the one that was recorded"),
        ({"sha256": "0" * 64}, "not the one that was recorded"),
        ({"path": "none.md"}, "no such file"),
        ({"options": ["--time=10:00"]}, "other options or commands"),
        ({"filled": {"<project>": "project_2004567", "small": "nowhere"}}, "nowhere"),
    ],
)
def test_the_record_is_held_against_a_clone(clone, changed, said):
    twins.need_scheduler("slurm")
    folder, record = clone
    found = list(tool.faults(folder, record(**changed)))
    assert (found == []) if said is None else any(said in fault for fault in found)


def test_a_script_is_cut_without_the_indent_of_its_first_line():
    assert tool.cut(PAGE, 4, 7) == CUT
