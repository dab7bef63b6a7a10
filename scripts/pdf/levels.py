"""Takes out the levels of the tag tree that say nothing: Chromium puts each run of text into a NonStruct of its own.

They are two thirds of all tags, and a sixth of the file.
"""

from __future__ import annotations

import pikepdf
from pikepdf import Array, Dictionary, Name


def drop_levels(pdf: pikepdf.Pdf) -> None:
    """What lies in a NonStruct without attributes lies in its parent then, in the same order."""
    root = pdf.Root.StructTreeRoot
    moved: dict[tuple[int, int], Dictionary] = {}  # object of an element that is gone -> the one that has its parts
    for element in children(root):
        _lift(element, moved)
    _point(root.ParentTree, moved)


def children(element: Dictionary) -> list:
    """The parts of an element: elements, references, numbers of marked content."""
    parts = element.get(Name.K, Array())
    return list(parts) if isinstance(parts, Array) else [parts]


def _lift(element: object, moved: dict) -> None:
    if not is_element(element):
        return
    parts, lifted = [], False
    for child in children(element):
        _lift(child, moved)
        if is_element(child) and child.S == Name.NonStruct and Name.A not in child:
            moved[child.objgen] = element
            parts += [_of(part, child, element) for part in children(child)]
            lifted = True
        else:
            parts.append(child)
    if lifted:
        element.K = Array(parts)


def is_element(part: object) -> bool:
    return isinstance(part, Dictionary) and Name.S in part


def _of(part: object, child: Dictionary, element: Dictionary) -> object:
    """A part of the child, as one of the element. A number of marked content counts on its element's page."""
    if is_element(part):
        part.P = element
    elif isinstance(part, Dictionary):
        if Name.Pg not in part:
            part.Pg = child.Pg
    else:
        if Name.Pg not in element:
            element.Pg = child.Pg
        if element.Pg.objgen != child.Pg.objgen:
            return Dictionary(Type=Name.MCR, Pg=child.Pg, MCID=int(part))
    return part


def _point(tree: Dictionary, moved: dict) -> None:
    """Each number of marked content leads to the element that has it now."""

    def now(element: Dictionary) -> Dictionary:
        while element.objgen in moved:
            element = moved[element.objgen]
        return element

    for branch in tree.get(Name.Kids, []):
        _point(branch, moved)
    numbers = tree.get(Name.Nums, Array())
    for index in range(1, len(numbers), 2):
        value = numbers[index]
        if isinstance(value, Array):
            for place, element in enumerate(value):
                if isinstance(element, Dictionary) and element.objgen in moved:
                    value[place] = now(element)
        elif isinstance(value, Dictionary) and value.objgen in moved:
            numbers[index] = now(value)
