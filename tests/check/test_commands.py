"""The comments and commands that a shell would read."""

import pytest

from scripts.check.commands import Command, read_shell

SCRIPT = r"""#!/bin/bash
#SBATCH --time=10
set -e  # strict
module load a; module load b && echo "x; y # z"
if [ -f x ]; then python a.py \
   --epochs 5 & fi
cat <<EOF > out.sh
pip install x
EOF
	cat <<-'END'
	sudo x
	END
cat <<< 'word' | sort
: <<++++
rm x
++++
python -c "import x
sudo rm" arg
srun a > log 2>&1 &
srun b &> log
(cd x; make)
n=$((1 << 3))
# the end
wait"""

COMMANDS = [
    (3, "set -e"),
    (4, "module load a"),
    (4, "module load b"),
    (4, 'echo "x; y # z"'),
    (5, "[ -f x ]"),
    (5, "python a.py --epochs 5 &"),
    (6, "fi"),
    (7, "cat <<EOF > out.sh"),
    (10, "cat <<-'END'"),
    (13, "cat <<< 'word'"),
    (13, "| sort"),
    (14, ": <<++++"),
    (17, 'python -c "import x" arg'),
    (19, "srun a > log 2>&1 &"),
    (20, "srun b &> log"),
    (21, "cd x"),
    (21, "make)"),
    (22, "n=$((1 << 3))"),
    (24, "wait"),
]


def test_commands():
    assert read_shell(SCRIPT.split("\n")).commands == [Command(*each) for each in COMMANDS]


def test_comments():
    assert read_shell(SCRIPT.split("\n")).comments == [(2, "#SBATCH --time=10"), (23, "# the end")]


@pytest.mark.parametrize("text", ("", "\n\n", "#!/bin/bash", "echo 'never closed", "cat <<EOF\nnever closed", "a \\"))
def test_what_is_not_whole_is_read_as_far_as_it_goes(text):
    assert len(read_shell(text.split("\n")).commands) <= 1
