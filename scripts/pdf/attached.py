"""The files that a reader of the PDF needs: every script and program that it shows, and the programs they start."""

import posixpath
from pathlib import Path
from urllib.parse import unquote

import pikepdf
from pikepdf import AttachedFileSpec

from scripts.evidence.dependencies import started
from scripts.pdf.chapters import Chapter

SHOWN = ".evidence a[href]"  # under every listing of a file, a link to the file
# Of no system: a file keeps the name that others call it by.
SHARED = {"snippets/languages", "snippets/programs", "snippets/software"}


def name(path: str) -> str:
    """What a file of the site is called in the PDF, where each system has its one_gpu.sh: lumi-one_gpu.sh."""
    folder, file = posixpath.split(path)
    return file if folder in SHARED else f"{posixpath.basename(folder)}-{file}"


def is_listing(path: str) -> bool:
    """Whether a file, named from the site's folder, is a script or a program: not what one prints."""
    return path.startswith("snippets/") and not path.endswith((".out", ".txt", ".json"))


def find(chapters: list[Chapter], site: Path) -> dict[str, Path]:
    """Name in the PDF -> file of the site, by name. Read before the links are rewritten."""
    found = set()
    for chapter in chapters:
        for link in chapter.article.select(SHOWN):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(chapter.page), unquote(link["href"])))
            if path.startswith("snippets/") and (site / path).is_file():  # where it is not, the links say so
                found.add(path)
    for path in list(found):
        found |= {posixpath.join(*file.parts[-3:]) for file in started(site / path)}
    return dict(sorted((name(path), site / path) for path in found if is_listing(path) and (site / path).is_file()))


def attach(pdf: pikepdf.Pdf, files: dict[str, Path]) -> None:
    for file_name, file in files.items():
        pdf.attachments[file_name] = AttachedFileSpec(
            pdf,
            file.read_bytes(),
            filename=file_name,
            description=f"{posixpath.join(*file.parts[-3:])}, as it is shown",
            mime_type="text/plain",
        )
