"""Check the format of a record, and whether its results are possible, before you submit it.

guide record snippets/measured/a100-sxm4-80gb.json
"""

from scripts.errors import BadInput, named, parser_of, run
from scripts.measure.limits import load_limits
from scripts.measure.records import load_record
from scripts.paths import MEASURED, shown


def main() -> int:
    parser = parser_of("guide record", __doc__)
    parser.add_argument("file", type=named, help="a file that `guide measure` has written")
    path = parser.parse_args().file
    if not path.exists():
        what = "there is no such file."
        raise BadInput(path, None, what, "`guide measure` prints the name of the file that it has written.")
    limits = load_limits()
    record = load_record(path, limits)
    old = [case for case in record.cases if not case.current]
    print(f"{limits[record.device].name}: all results are possible ({len(record.cases)}).")
    print(f"The page will say: measured on {record.date}, {record.where.cluster}, {record.where.host_cpu}.")
    if old:
        print(f"For {len(old)} of them, the program has changed since. Measure these again if you can.")
    wanted = MEASURED / f"{record.device}.json"
    move = "" if path.resolve() == wanted.resolve() else f" Move it to {shown(wanted)}."
    print(f"Submit it as one file in a pull request.{move}")
    return 0


if __name__ == "__main__":
    run(main)
