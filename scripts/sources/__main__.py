"""Check whether the sources of the facts have changed since they were read, and show changed lines with numbers.

    guide sources                 all systems
    guide sources puhti roihu     the sources of these two systems
    guide sources puhti --write   also note today's state, after you have read the pages

Each page is requested once, slowly. The exit status is 0, 1 if a page has changed or is gone, 2 if otherwise some page
could not be requested, or 3 if no page could be requested.
"""

import sys

from scripts.cli import cache
from scripts.errors import named, parser_of, plain, run
from scripts.facts import load_all, load_named, today
from scripts.facts.age import aged
from scripts.paths import shown, write_whole
from scripts.sources.ask import Became, Found, ask
from scripts.sources.fetch import Fetcher
from scripts.sources.report import issue, report
from scripts.sources.write import write


def status(found: list[Found]) -> int:
    became = {each.became for each in found} - {Became.FIXED}
    if became == {Became.SILENT}:
        return 3
    if became & {Became.MOVED, Became.GONE}:
        return 1
    return 2 if Became.SILENT in became else 0


def bar(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {total} sources", end="\n" if done == total else "", file=sys.stderr, flush=True)


def main(fetcher: Fetcher | None = None) -> int:
    parser = parser_of("guide sources", __doc__)
    parser.add_argument("cluster", nargs="*", help="default: all")
    parser.add_argument("--write", action="store_true", help="record today's revision in the facts")
    parser.add_argument("--issue", metavar="FILE", type=named, help="write a list of the pages to read, in Markdown")
    asked = parser.parse_args()
    wanted = {key: load_named(key) for key in asked.cluster} or load_all()
    found = ask(wanted, fetcher or Fetcher(cache() / "sources"), bar)
    for line in report(found):
        print(plain(line))
    if asked.issue:
        write_whole(asked.issue, "".join(f"{line}\n" for line in issue(found, aged(wanted, today()))))
    if asked.write:
        written = write(found, today())
        print(f"Written: {', '.join(str(shown(path)) for path in written) or 'nothing'}.")
    return status(found)


if __name__ == "__main__":
    run(main, status=2)
