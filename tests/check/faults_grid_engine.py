"""What people really get wrong in scripts for Grid Engine."""

from tests.check.faults_slurm import BOTH
from tests.check.planted import Planter, change, say, spelled, together, whole


def no_occasion(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("#$ -m"))


FAULTS: dict[str, Planter] = {
    **spelled("grid_engine"),
    **BOTH,
    "blank after #": change(lambda line, draw: line.replace("#$", draw.choice(("# $", "#  $", "#\t$")))),
    "indented": change(lambda line, draw: draw.choice((" ", "  ", "    ", "\t")) + line),
    "another prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#%", "#&", "#S", "#\u00a7")))),
    "Slurm's or PBS's prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#SBATCH", "#PBS", "#BSUB")))),
    "no #": change(lambda line, draw: line[1:]),
    "# and $ exchanged": change(lambda line, draw: "$#" + line[2:]),
    "no option": change(lambda line, draw: draw.choice(("#$", "#$  "))),
    "no dash": change(lambda line, draw: line.replace("#$ -", draw.choice(("#$ ", "#$")))),
    "two dashes": change(lambda line, draw: line.replace("#$ -", "#$ --")),
    "typographic dash": change(lambda line, draw: line.replace(" -", " " + draw.choice("\u2013\u2014\u2212"), 1)),
    "non-breaking space": change(lambda line, draw: line.replace("#$ ", "#$\u00a0")),
    "placeholder": change(lambda line, draw: line.split("=")[0] + draw.choice(("=<value>", "=<your value>")), "-l"),
    "blanks around =": change(lambda line, draw: line.replace("=", draw.choice((" = ", "= ", " =")), 1), "-l"),
    "address without an occasion": together(say("-M me@leeds.ac.uk", "-M me@uni.org"), whole(no_occasion)),
}
