"""Build the site of a collection of facts, from its systems, its words and its own pages.

guide site --facts DIR --into site
"""

import importlib.util

from scripts.errors import BadInput, named, parser_of, run
from scripts.paths import FACTS, OURS


def main() -> int:
    parser = parser_of("guide site", __doc__)
    parser.add_argument(
        "--into",
        metavar="DIR",
        type=named,
        default=FACTS / "site",
        help="the new site; default: site/ in the folder of the facts",
    )
    into = parser.parse_args().into.absolute()
    if OURS:
        what = "this command builds a website from your own facts."
        raise BadInput("guide site", None, what, "Name their folder with --facts DIR.")
    for module in ("mkdocs", "minify"):
        if not importlib.util.find_spec(module):
            cure = "Install gpu-cluster-guide[site]; in the guide's repository, run `make site FACTS=DIR`."
            raise BadInput("guide site", None, f"the package {module} is missing.", cure)
    from scripts.site.collection import build

    return build(into)


if __name__ == "__main__":
    run(main, status=2)
