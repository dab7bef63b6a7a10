"""Check the job scripts in documents: in pages (Markdown, MyST and reStructuredText), scripts, templates, skills of
assistants, and profiles of Nextflow and Snakemake. Also check what pages say about partitions in tables and prose.

    guide docs docs/ README.md
    guide docs . --system roihu --system puhti    the systems that the documents may be about
    guide docs docs/ --system lumi --fix          apply a fix if exactly one is correct

A script is for the system that its document names, or whose resources it requests. If the document names none, the
command uses the first --system. The exit status is 0, or 1 if something is rejected, fails or is ignored. It is 2 if a
document could not be read, or if no script could be judged.
"""

import argparse
import json
import sys
from dataclasses import asdict

from scripts.check.report import Report, notes
from scripts.check.sarif import sarif
from scripts.documents.edits import fix, write_patches
from scripts.documents.judge import Judged, closing, read_and_judge, status
from scripts.errors import named, parser_of, plain, run


def main() -> int:
    parser = parser_of("guide docs", __doc__)
    parser.add_argument("path", nargs="+", help="a document, or a folder with documents")
    parser.add_argument("--system", action="append", default=[], help="a system, such as puhti; can be repeated")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the findings as a list in JSON")
    form.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")
    form.add_argument("--github", action="store_true", help="print the findings as GitHub's workflow commands")
    form.add_argument("--list", action="store_true", help="print each job script that was found, with its result")
    edits = parser.add_mutually_exclusive_group()
    edits.add_argument("--fix", action="store_true", help="apply a fix in the documents if exactly one is correct")
    edits.add_argument("--patches", type=named, metavar="DIR", help="write these fixes as patches")
    given = parser.parse_args()
    judged, unread, number = read_and_judge(given.path, given.system)
    if given.fix:
        edited = fix(judged)
        judged, unread, number = read_and_judge(given.path, given.system)
        print(*(plain(f"{path}: edited.") for path in edited), sep="\n", end="\n" * bool(edited), file=sys.stderr)
    if given.patches:
        written = write_patches(judged, given.patches)
        print(*(plain(f"{path}: written.") for path in written), sep="\n", end="\n" * bool(written), file=sys.stderr)
    found = [report for each in judged for report in each.reports]
    show(given, judged, found, closing(judged, number))
    for fault in unread:
        print(fault, file=sys.stderr)
    return 2 if unread else status(judged)


def show(given: argparse.Namespace, judged: list[Judged], found: list[Report], last: str) -> None:
    if given.json:
        print(json.dumps([asdict(report) for report in found], indent=1))
    elif given.sarif:
        print(json.dumps(sarif(found), indent=1))
    elif given.github:
        print(*notes(found), last, sep="\n")
    elif given.list:
        lines = (plain(f"{each.script.file}:{each.script.at[0]}: {each.told}") for each in judged)
        print(*lines, last, sep="\n")
    else:
        print(*map(str, found), last, sep="\n")


if __name__ == "__main__":
    run(main, status=2)
