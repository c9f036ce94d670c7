"""What all processes and machines of a site share: counts, files, and news of games.

Counts are rows of the database, or in Redis where the setting `DIPLOMACCLOUD_CACHE_URL` names one;
files are in the place that `DIPLOMACCLOUD_STORAGE_URL` names. If these are away, the site goes on.
"""
