"""What a reader needs and Chromium leaves out: blanks that copy as text, title, language, date, files."""

from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Dictionary, Name, String

from scripts.pdf import attached, blanks


def mark_blanks(pdf: pikepdf.Pdf) -> None:
    """Blanks of code are text, and the Tab key follows the tags."""
    for page in pdf.pages:
        instructions = blanks.keep(pikepdf.parse_content_stream(page), blanks.blank_codes(page))
        page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(instructions))
        page.Tabs = Name.S


def name_document(pdf: pikepdf.Pdf, title: str, date: str) -> None:
    """Title, language, and the edition's date (2026-11-21) in place of the moment of printing."""
    pdf.Root.Lang = String("en")
    pdf.Root.PageMode = Name.UseOutlines
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
    pdf.Root.StructTreeRoot.RoleMap = Dictionary(Em=Name.Span, Strong=Name.Span)
    moment = f"D:{date.replace('-', '')}000000Z"
    pdf.docinfo = pdf.make_indirect(
        Dictionary(
            Title=String(title),
            Producer=String("Chromium, pikepdf"),
            CreationDate=String(moment),
            ModDate=String(moment),
        )
    )
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["dc:title"] = title
        metadata["dc:language"] = {"en"}


def finish(printed: bytes, title: str, date: str, files: dict[str, Path]) -> bytes:
    """The printed PDF with all of it; files: name -> file, to attach."""
    with pikepdf.open(BytesIO(printed)) as pdf:
        mark_blanks(pdf)
        name_document(pdf, title, date)
        attached.attach(pdf, files)
        out = BytesIO()
        pikepdf.settings.set_flate_compression_level(9)
        pdf.save(
            out,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            recompress_flate=True,  # Chromium compresses quickly, not well
            deterministic_id=True,
        )
        return out.getvalue()
