"""People: accounts, logins, status messages, and mail to people.

A person's page and the list of players must not reveal who plays in an anonymous game. They count a
game and its turns only once the game is over or open to watchers, and show the last login only as
"in the last two weeks" or as a month. A test plays an anonymous game with missed turns, logins and
a resignation, and compares every page about people byte by byte.

The form for a forgotten password looks up no account: it adds a row to the mail queue, which takes
the same time for every address. The worker finds the account, sends the link, and retries if that
fails. The row says what is still to be sent; a background task carries only its id.
"""
