"""Settings of the site that browsers open: as real ones, but all people share one address."""

from diplomaccloud.project.settings import *  # noqa: F403
from diplomaccloud.project.settings import ACCOUNT_RATE_LIMITS

# Few of these sites have a worker.
CLOCK_WATCH = ""
# A fast machine logs in more people a minute than the real limit lets in from one address.
ACCOUNT_RATE_LIMITS |= {"login_attempt": "1000/m/ip"}
