"""What a reader needs and Chromium leaves out: artifacts, list bodies, words for links, title, date, files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, String

from scripts.pdf import attached, blanks
from scripts.pdf.levels import drop_levels

TEXT = {"Tj", "TJ", "'", '"'}
PAINTS = TEXT | {"m", "re", "Do", "sh", "INLINE IMAGE"}
BOUNDARIES = {"BT", "ET", "BMC", "BDC", "EMC", "q", "Q"}


def mark_content(pdf: pikepdf.Pdf) -> None:
    """Whatever is painted outside the tags (running heads, page numbers, rules, backgrounds) is marked as an artifact,
    and blanks of code as text.
    """
    begin = pikepdf.ContentStreamInstruction([Name.Artifact], Operator("BMC"))
    end = pikepdf.ContentStreamInstruction([], Operator("EMC"))
    for page in pdf.pages:
        out, depth, is_open = [], 0, False
        for instruction in blanks.keep(pikepdf.parse_content_stream(page), blanks.blank_codes(page)):
            operator = str(instruction.operator)
            if is_open and operator in BOUNDARIES:
                out.append(end)
                is_open = False
            elif not is_open and depth == 0 and operator in PAINTS:
                out.append(begin)
                is_open = True
            depth += (operator in ("BMC", "BDC")) - (operator == "EMC")
            out.append(instruction)
        page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(out + [end] * is_open))
        page.Tabs = Name.S


def give_lists_bodies(pdf: pikepdf.Pdf) -> None:
    """A list item holds a label and a body; Chromium writes the body's parts straight into the item."""
    todo = [pdf.Root.StructTreeRoot.K]
    while todo:
        element = todo.pop()
        if isinstance(element, Array):
            todo += list(element)
            continue
        if not isinstance(element, Dictionary) or Name.S not in element or Name.K not in element:
            continue
        children = list(element.K) if isinstance(element.K, Array) else [element.K]
        todo += children
        if element.S == Name.LI:
            parts = [child for child in children if not is_label(child)]
            body = pdf.make_indirect(Dictionary(Type=Name.StructElem, S=Name.LBody, P=element, K=Array(parts)))
            if Name.Pg in element:
                body.Pg = element.Pg
            for part in parts:
                if isinstance(part, Dictionary) and Name.S in part:
                    part.P = body
            element.K = Array([child for child in children if is_label(child)] + [body])
    pdf.Root.StructTreeRoot.RoleMap = Dictionary(Em=Name.Span, Strong=Name.Span)


def is_label(child: object) -> bool:
    return isinstance(child, Dictionary) and child.get(Name.S) == Name.Lbl


def describe_links(pdf: pikepdf.Pdf, words: dict[str, str]) -> None:
    """Each link says where it leads: the address, or the heading that it jumps to; words: destination -> heading."""
    for page in pdf.pages:
        for annotation in page.get(Name.Annots, []):
            if annotation.Subtype == Name.Link:
                target = str(annotation.Dest).removeprefix("/") if Name.Dest in annotation else str(annotation.A.URI)
                annotation.Contents = String(words.get(target, target))
                annotation.F = 4  # printed


def name_document(pdf: pikepdf.Pdf, title: str, date: str) -> None:
    """Title, language, and the edition's date (2026-11-21) in place of the moment of printing."""
    pdf.Root.Lang = String("en")
    pdf.Root.PageMode = Name.UseOutlines
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
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
        metadata["pdfuaid:part"] = "1"


def finish(printed: bytes, title: str, date: str, words: dict[str, str], files: dict[str, Path]) -> bytes:
    """The printed PDF with all of it; files: name -> file, to attach."""
    with pikepdf.open(BytesIO(printed)) as pdf:
        mark_content(pdf)
        give_lists_bodies(pdf)
        drop_levels(pdf)
        describe_links(pdf, words)
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
