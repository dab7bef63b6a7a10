"""Write the facts of a cluster from the output of its scheduler.

    guide adopt mycluster asked-mycluster-2026-11-22.txt    the file that ask_cluster.sh wrote there
    guide adopt mycluster nodes.txt partitions.txt          pasted output of scontrol show, sinfo or sacctmgr
    guide adopt --again mycluster asked-2027-01-10.txt      update the facts from a newer capture

Writes mycluster/cluster.yml and a copy of the capture, and lists the questions that only a person can answer.
"""

import re
import unicodedata
from pathlib import Path

from scripts.adopt import again
from scripts.adopt.captures import read_all
from scripts.adopt.facts import facts, source_of
from scripts.adopt.text import text
from scripts.compare.day import a_day, day_of
from scripts.compare.write import clean, place
from scripts.errors import BadInput, named, parser_of, run
from scripts.facts.edit import checked
from scripts.facts.load import load_cluster
from scripts.paths import shown, write_whole


def main() -> int:
    parser = parser_of("guide adopt", __doc__)
    parser.add_argument("name", help="the cluster's name for readers, such as Kestrel")
    parser.add_argument("files", nargs="+", metavar="file", help="output of the scheduler, in one file or several")
    parser.add_argument(
        "--into", type=named, default=".", metavar="DIR", help="the folder of all clusters; default: the current one"
    )
    parser.add_argument("--date", help="the day of captures that contain no date, such as 2026-11-22")
    parser.add_argument("--again", action="store_true", help="merge a newer capture into the facts")
    arguments = parser.parse_args()
    key = key_of(arguments.name)
    given = a_day(arguments.date, "--date") if arguments.date else None
    file = arguments.into.resolve() / key / "cluster.yml"
    if file.exists() != arguments.again:
        what, cure = ("there is no such file yet.", "Omit --again.") if arguments.again else (
            "this file already exists.", "Add --again to merge a newer capture.")  # fmt: skip
        raise BadInput(shown(file), None, what, cure)
    capture = read_all(arguments.files)
    date = day_of(capture, given, write=False)
    kept = place(file.parent / "captures", date, clean(capture, date))
    source = source_of(arguments.name, f"captures/{kept.name}", date)
    if arguments.again:
        new, said = again.merged(file, capture, date, source)
    else:
        adopted = facts(capture, key, arguments.name, source)
        new = checked(file, text(adopted.data, date))
        said = [f"Omitted: {each}." for each in adopted.left_out]
    if new:
        write_whole(kept, clean(capture, date))
        write_whole(file, new)
        said.insert(0, f"Wrote {shown(file)}, from a capture of {date}.")
    print("\n".join([*said, *(f"Not collected: {each}." for each in capture.not_asked), *still_open(file)]))
    return 0


def key_of(name: str) -> str:
    """The folder of a cluster of this name. Raises BadInput if that has no letter first."""
    key = re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", name.casefold()))
    if not re.fullmatch(r"[a-z][a-z0-9]{0,40}", key) or not re.fullmatch(r"[\w .+/-]+", name):
        raise BadInput("adopt", None, f"`{name}` is not a valid cluster name.", "Start with a letter, as in `hawk2`.")
    return key


def still_open(file: Path) -> list[str]:
    """The questions that nobody has answered."""
    cluster = load_cluster(file)
    if not cluster.unknown:
        return []
    head = f"Open questions: {len(cluster.unknown)}. Answer them in {shown(file)}, then delete their lines there:"
    return ["", head, *(f"  {key}: {question}" for key, question in cluster.unknown.items())]


if __name__ == "__main__":
    run(main, status=2)
