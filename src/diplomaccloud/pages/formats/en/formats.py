"""Dates in American order, with times on a 24-hour clock, as in deadlines."""

DATE_FORMAT = "F j, Y"
DATETIME_FORMAT = "F j, Y, H:i"
SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "D, M j, Y, H:i"
