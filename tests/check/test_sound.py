"""Sound job scripts, most of them from the operators' own guides: the check accuses none."""

import re
from collections import Counter

import pytest

from scripts.facts import load_all
from tests.check.many import check_many
from tests.check.sound import accusations, records

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


def test_there_are_enough_and_no_text_counts_twice():
    operators = Counter(record.operators for record in records().values() for _ in record.scripts)
    hashes = Counter(script.sha256 for record in records().values() for script in record.scripts)
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
