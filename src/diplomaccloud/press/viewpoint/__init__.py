"""Everything that a viewer may know about press, as facts without wording.

Every read for a person is made here, so that secrecy can be audited in one place. What a viewer can
read depends on `Membership` rows and the current holders of the seats. The names of authors come
only from `games.table.read`. For other people's conversations, the answer is the same as for
addresses that don't exist, after the same queries. Row keys never leave this package: messages have
numbers, counted from the first one that the viewer can read.
"""
