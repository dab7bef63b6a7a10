"""Indentation that survives copying: viewers take a run of blanks for a gap, and copy one blank or none.

With /ActualText such a run is text. Viewers that use poppler (Evince, Okular, pdftotext) then copy it as it stands;
those with pdfium (Chromium) or pdf.js (Firefox) copy one blank for each run inside a line, and none at its beginning.
"""

import re

import pikepdf
from pikepdf import ContentStreamInstruction, Dictionary, Name, Operator, String

MONO = "Mono"  # in the name of a font for code
BLANK = b"0020"  # in a font's map to Unicode


def blank_codes(page: pikepdf.Page) -> dict[str, set[bytes]]:
    """Of each font for code on the page: the codes, two bytes each, that its map to Unicode calls a blank."""
    found = {}
    for name, font in page.get(Name.Resources, Dictionary()).get(Name.Font, Dictionary()).items():
        if MONO in str(font.get(Name.BaseFont, "")) and Name.ToUnicode in font:
            table = font.ToUnicode.read_bytes()
            found[name] = {
                bytes.fromhex(entry[0].decode())
                for kind, length in ((b"bfchar", 2), (b"bfrange", 3))  # code, letter; first, last, letter of the first
                for block in re.findall(rb"begin%b(.*?)end%b" % (kind, kind), table, re.DOTALL)
                for entry in zip(*[iter(re.findall(rb"<([0-9A-Fa-f]+)>", block))] * length, strict=True)
                if entry[-1] == BLANK
            }
    return found


def keep(
    instructions: list[pikepdf.ContentStreamInstruction], codes: dict[str, set[bytes]]
) -> list[pikepdf.ContentStreamInstruction]:
    """The instructions of a page, every run of two or more blanks of code marked as the text that it is."""
    out, run, length, blanks = [], [], 0, set()
    for instruction in instructions:
        operator = str(instruction.operator)
        if operator == "Tf":
            blanks = codes.get(str(instruction.operands[0]), set())
        text = bytes(instruction.operands[0]) if operator == "Tj" and blanks else b""
        if text and {text[at : at + 2] for at in range(0, len(text), 2)} <= blanks:
            length += len(text) // 2
        elif not (operator == "Td" and run):
            out += _marked(run, length)
            run, length = [], 0
            out.append(instruction)
            continue
        run.append(instruction)
    return out + _marked(run, length)


def _marked(run: list, length: int) -> list:
    if length < 2:
        return run
    begin = ContentStreamInstruction([Name.Span, Dictionary(ActualText=String(" " * length))], Operator("BDC"))
    return [begin, *run, ContentStreamInstruction([], Operator("EMC"))]
