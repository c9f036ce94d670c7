"""Dates in American order, with the time of a clock of 24 hours, as deadlines have it."""

DATE_FORMAT = "F j, Y"
DATETIME_FORMAT = "F j, Y, H:i"
SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "M j, Y, H:i"
