"""When a capture was taken."""

import datetime

from scripts.compare.capture import Capture
from scripts.errors import BadInput
from scripts.facts import today
from scripts.facts.units import Date


def a_day(text: str, place: str) -> Date:
    try:
        return Date(text)
    except ValueError as fault:
        raise BadInput(place, None, f"{str(fault).partition(';')[0]}.", "Write a date such as 2026-11-22.") from None


def day_of(capture: Capture, given: Date | None, write: bool) -> str:
    """When it was taken. What says nothing of it is of today, but the facts are not changed on that ground."""
    if capture.date:
        date = a_day(capture.date, capture.file)
        if given not in (None, date):
            raise BadInput("--date", None, f"the capture is of {date}.", "Omit --date.")
    elif given or not write:
        date = given or today()
    else:
        raise BadInput(capture.file, None, "the capture contains no date.", "Add one: --date 2026-11-22")
    first = datetime.timezone(datetime.timedelta(hours=14))  # a cluster may be where a day begins before it does here
    if date > datetime.datetime.now(first).date().isoformat():
        raise BadInput(capture.file, None, f"the capture's date, {date}, is in the future.", "Correct the date.")
    return date
