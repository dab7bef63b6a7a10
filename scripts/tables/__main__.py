"""Write all that is made of the facts and the records: `build/made/`."""

from scripts.errors import BadInput, parser_of, run
from scripts.paths import OURS
from scripts.tables import made


def main() -> int:
    parser_of("python -m scripts.tables", __doc__).parse_args()
    if not OURS:
        cure = "Unset GPU_GUIDE_FACTS, or run: make site FACTS=DIR."
        raise BadInput("GPU_GUIDE_FACTS", None, "the guide's tables are of its own facts only.", cure)
    for path in made.write_made():
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    run(main)
