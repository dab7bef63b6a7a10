"""What a page hides behind a click, laid open for paper: collapsed blocks, long code lines."""

import re

from bs4 import BeautifulSoup, Tag

from scripts.pdf.chapters import Chapter

SHORT = 24  # lines; a block of code up to this long is kept on one page
SMALL = 10  # rows of a table
WORD = 30  # characters of code in a sentence, and LONG of a line of code: up to this long it stays on one line
LONG = 80
NOT_PRINTED = (
    "style, script, template, .pdf-link, .md-content__button, .page-links, .compare, .limits-own, "
    "caption, nav, .kinds, .filter"
)
MOVING = "iframe, video, audio, object, embed, canvas, .mermaid, .arithmatex"
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]


def refuse_what_moves(chapter: Chapter) -> None:
    if found := chapter.article.select_one(MOVING):
        what = f"<{found.name}> is drawn by a program, which paper does not run."
        raise chapter.fault(found, what, "Put a picture there instead.")


def open_details(article: Tag) -> None:
    for details in article.select("details"):
        details.name = "div"
        details["class"] = [*details.get("class", []), "admonition"]
        if summary := details.find("summary", recursive=False):
            summary.name = "p"
            summary["class"] = ["admonition-title"]


def split_lines(html: str) -> list[str]:
    """The lines of highlighted code; a tag that spans several is closed and opened again at each end of line."""
    lines, line, stack = [], "", []
    for part in re.split(r"(<[^>]*>|\n)", html):
        if part == "\n":
            lines.append(line + "".join(f"</{re.match(r'<([a-z]+)', tag)[1]}>" for tag in reversed(stack)))
            line = "".join(stack)
            continue
        if part.startswith("</"):
            stack.pop()
        elif part.startswith("<") and not part.endswith("/>"):
            stack.append(part)
        line += part
    return [*lines, line] if re.sub("<[^>]*>", "", line) else lines


def may_break(html: str, after: str, longest: int) -> str:
    """The markup with a <wbr> where a line may end: after these characters, and in what is longer than `longest`.

    Never after a hyphen: viewers take one at a line's end for a word's division, and drop it from what is copied.
    """
    out, length = [], 0
    for part in re.findall(r"<[^>]*>|&[^;]+;| +|.", html):
        out.append(part)
        if part[0] in after:
            length = 0
        elif len(part) == 1 or part[0] == "&":
            length += 1
        if part[0] in after or (length >= longest and part != "-" and not part.startswith("<")):
            out.append("<wbr>")
    return "".join(out)


def line_block(line: str) -> str:
    """One line; what wraps is indented by two characters more than the line itself."""
    words = re.sub("<[^>]*>", "", line)
    if len(words) <= LONG:
        return f'<span class="line">{line or " "}</span>'
    indent = len(words) - len(words.lstrip(" "))
    return f'<span class="line long" style="--indent:{indent}ch">{may_break(line, " ", LONG)}</span>'


def wrap_code(article: Tag) -> None:
    """Every line of code a block of its own, so that what does not fit goes on below, indented, and is never cut;
    printer.LAY_OUT makes the letters smaller where that spares it.
    """
    for pre in article.select("pre"):
        inner = pre.find("code") or pre
        lines = split_lines(inner.decode_contents().strip("\n"))
        block = BeautifulSoup(f"<pre><code>{''.join(map(line_block, lines))}</code></pre>", "html.parser").pre
        block["class"] = ["code", "short"] if len(lines) <= SHORT else ["code"]
        pre.replace_with(block)
    for name in article.select(".filename"):
        name.name, name["class"] = "p", ["code-name"]


def keep_together(article: Tag) -> None:
    """Small tables stay on one page, and options such as `--gres=gpu:1` on one line; longer code ends a line at
    a blank or a slash.
    """
    for table in article.find_all("table"):
        if len(table.find_all("tr")) <= SMALL:
            table["class"] = ["short"]
    for code in article.find_all("code"):
        if not code.find_parent("pre"):
            code["class"] = ["word"]
            if len(code.get_text()) > WORD:
                words = BeautifulSoup(may_break(code.decode_contents(), " /", WORD), "html.parser")
                code.clear()
                code.append(words)


def level_headings(article: Tag, base: int) -> None:
    """The page's title at level `base`, the rest below it without a jump."""
    previous = base - 1
    for heading in article.find_all(HEADINGS):
        previous = min(base + int(heading.name[1]) - 1, previous + 1, 6)
        heading.name = f"h{previous}"


def shape(chapter: Chapter, base: int) -> None:
    """Reshape the chapter's article in place, its title a heading of level `base`."""
    article = chapter.article
    refuse_what_moves(chapter)
    for tag in article.select(NOT_PRINTED):
        tag.decompose()
    open_details(article)
    wrap_code(article)
    keep_together(article)
    level_headings(article, base)
