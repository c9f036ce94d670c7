"""Announcements by the host: news, and maintenance with a time.

Each is shown from one time until another, to everybody or to some people. Pages show one line; a
page has all of them in full, and so do the API and the list of notices. A person dismisses one
once, for all browsers; a visitor does so in a cookie.
"""
