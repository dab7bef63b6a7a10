"""Say in each built page how large its pictures are, so that the browser
keeps their place and nothing jumps when they arrive.
"""

from __future__ import annotations

import re
from pathlib import Path

from scripts.errors import BadInput

PICTURE = re.compile(r'<img(?P<before>[^>]*) src="(?P<file>[^":]+\.svg)"')
VIEW_BOX = re.compile(r'<svg[^>]*\bviewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')


def write(site: Path) -> None:
    """Write width and height, in the units of its own drawing, into every
    <img> of an SVG file; the style sheet scales it.
    """

    def sized(picture: re.Match) -> str:
        file = (page.parent / picture["file"]).resolve()
        box = VIEW_BOX.search(file.read_text(encoding="utf-8")) if file.is_file() else None
        if not box:
            raise BadInput(
                page,
                None,
                f"the picture {picture['file']} has no drawing of a known size.",
                'Give the file, with viewBox="0 0 WIDTH HEIGHT" in its <svg>.',
            )
        size = f'width="{float(box["width"]):.0f}" height="{float(box["height"]):.0f}"'
        return f'<img{picture["before"]} {size} src="{picture["file"]}"'

    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        if (whole := PICTURE.sub(sized, html)) != html:
            page.write_text(whole, encoding="utf-8")
