"""What a collection adds to its site, or changes there: DIR/words.yml the words, DIR/mkdocs.yml the name and the look,
DIR/docs/ pages of its own.
"""

import re

from pydantic import Field

from scripts.errors import BadInput, utf8
from scripts.markdown import INCLUDE, check_include
from scripts.models import Strict, load_model
from scripts.paths import FACTS
from scripts.site.config import Config, site_yml

PAGES = FACTS / "docs"
STYLE = "assets/colors.css"
COLOR = re.compile("#[0-9a-f]{6}", re.IGNORECASE)
GROUNDS = {"light": "#ffffff", "dark": "#1e2129"}  # of a page, as the theme has it by day and by night
SHAPES = [(key, dict, "`key: value` lines") for key in ("theme", "extra")]
SHAPES += [(key, list, "`- file` lines") for key in ("extra_css", "extra_javascript")]
READABLE = 4.5  # WCAG 2.2, 1.4.3: the least contrast of text


class Words(Strict):
    """Every word of a collection's site that does not come from its facts or from the tools."""

    home: str = "Home"
    title: str = Field("GPU systems", description="Of the home page")
    intro: str = Field("", description="Sentences below it")
    tool: str = "Job script tool"
    use_the_tool: str = "Write or check a job script"
    write_another: str = "Write another one, or check your own"
    programs: str = (
        "Save the sample programs [`check_gpu.py`](/snippets/programs/check_gpu.py) and "
        "[`matmul.py`](/snippets/programs/matmul.py) in the job's directory."
    )
    environment: str = (
        'Run `bash pip_pytorch.sh "$HOME/pytorch-gpu"` once, on a login node, to create the Python environment. '
        "[`pip_pytorch.sh`](/snippets/software/pip_pytorch.sh) installs the standard build of PyTorch. For AMD GPUs or "
        "older drivers, change its command as [PyTorch's page](https://pytorch.org/get-started/locally/) says."
    )
    systems: str = "Systems"
    glossary: str = "Glossary"
    find: str = Field("Filter systems", description="The label of a field above a long list of systems")
    columns: tuple[str, str, str, str] = ("System", "Operator", "GPUs", "State")
    rooms: dict[str, str] = Field(
        {"wrong": "Troubleshooting", "learn": "Learn", "workshop": "Workshop", "about": "About"},
        description="Folder of docs/ -> its name in the navigation, in this order",
    )
    glance: str = "At a glance"
    first: str = "A first job"
    access: str = "Access, login and hardware"
    limits: str = "Required options, partitions and time limits"
    costs: str = "Billing and costs"
    software: str = "Software"
    data: str = "Storage and data"
    jupyter: str = "Jupyter"
    editor: str = "VS Code and other editors"
    monitoring: str = "Monitoring"
    sources: str = "Sources"


def words() -> Words:
    """Raises BadInput for a word that the site has not."""
    file = FACTS / "words.yml"
    return load_model(file, Words, "See scripts/site/own.py.")[0] if file.is_file() else Words()


def join(made: dict[str, str]) -> dict[str, str]:
    """All pages: those made of the facts, and the collection's own. An own page with a title replaces the made one;
    without a title, it follows below that.
    """
    files = {path.relative_to(PAGES).as_posix(): path for path in sorted(PAGES.rglob("*.md")) if path.is_file()}
    own = {name: utf8(path.read_bytes(), path).removeprefix("\ufeff") for name, path in files.items()}
    for name, text in own.items():
        for found in INCLUDE.finditer(text):
            check_include(files[name], text.count("\n", 0, found.start()) + 1, found)
    whole = {name for name, text in own.items() if text.startswith(("# ", "---")) or name not in made}
    return made | {name: text if name in whole else f"{made[name]}\n{text}" for name, text in own.items()}


def navigation(systems: list, pages: list[str], said: Words) -> list:
    """Own pages stand in the room of their folder, its index first."""
    rooms: dict[str, list] = {folder: [] for folder in ("clusters", "", *said.rooms)}
    for page in sorted(pages, key=lambda page: (not page.endswith("index.md"), page)):
        folder, below, _ = page.partition("/")
        rooms.setdefault(folder if below else "", []).append(page)
    systems, top = [*rooms.pop("clusters"), *systems], rooms.pop("")
    return [{said.systems: systems}, *top, *({said.rooms.get(key, key): of} for key, of in rooms.items() if of)]


def settings(ours: dict) -> tuple[dict, str]:
    """mkdocs.yml of the site, and its style: our own settings with what the collection's file says otherwise. Raises
    BadInput for a color that nobody could read.
    """
    config = site_yml()
    own = dict(config.data)
    for key, kind, form in SHAPES:
        if not isinstance(own.setdefault(key, kind()), kind):
            raise BadInput(config.file, config.lines[key,], f"`{key}` is not a list of {form}.", "Indent them.")
    own["theme"] = ours["theme"] | own["theme"]
    own["extra"] = {"generator": False} | own["extra"]
    style = _style(own["extra"].pop("colors", None), config)
    for key in ("extra_css", "extra_javascript"):
        own[key] = [*ours[key], *([STYLE] if style and key == "extra_css" else []), *own[key]]
    return ours | own, style


def _style(colors: object, config: Config) -> str:
    """The style sheet of `extra: {colors: …}`; empty without it."""
    if colors is None:
        return ""
    line = config.lines["extra", "colors"]
    if (
        not isinstance(colors, dict)
        or set(colors) != set(GROUNDS)
        or not all(map(COLOR.fullmatch, map(str, colors.values())))
    ):
        raise BadInput(config.file, line, "`colors` needs two colors.", 'Write {light: "#00594f", dark: "#5fc9b8"}.')
    for name, ground in GROUNDS.items():
        if (found := contrast(colors[name], ground)) < READABLE:
            what = f"the {name} color has a contrast of {found:.1f} with the page."
            raise BadInput(
                config.file,
                line,
                what,
                f"Choose a {'darker' if name == 'light' else 'lighter'} one. It needs at least {READABLE}.",
            )
    of_all = "[data-md-color-scheme][data-md-color-primary]"
    light = "".join(f"--md-{name}-color:{colors['light']};" for name in ("primary-fg", "typeset-a", "accent-fg"))
    dark = "".join(f"--md-{name}-color:{colors['dark']};" for name in ("typeset-a", "accent-fg"))
    light += f"--md-primary-fg-color--dark:{colors['light']};"
    return f"{of_all}{{{light}}}\n@media screen{{{of_all.replace('scheme]', 'scheme=slate]')}{{{dark}}}}}\n"


def contrast(one: str, other: str) -> float:
    """Between two colors such as #00594f, from 1 to 21: WCAG 2.2's contrast ratio."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
