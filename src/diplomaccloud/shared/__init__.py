"""What all processes and machines of a site share: counters, files, and news of games.

Counters are in the database, or in Redis if `DIPLOMACCLOUD_CACHE_URL` names a server; files are in
the store that `DIPLOMACCLOUD_STORAGE_URL` names. If these are down, the site keeps working.
"""
