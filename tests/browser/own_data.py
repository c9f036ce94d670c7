"""Print the files of a person's data export as JSON, for the browser tests.

Runs as a separate process on the data directory in the environment variables.
"""

import io
import json
import sys
import zipfile

import django

django.setup()

from diplomaccloud.accounts.data_exports import write_export  # noqa: E402
from diplomaccloud.accounts.models import User  # noqa: E402

content = io.BytesIO()
write_export(User.objects.get(username=sys.argv[1]).pk, content)
with zipfile.ZipFile(content) as archive:
    files = {name: archive.read(name).decode() for name in archive.namelist()}
sys.stdout.write(json.dumps(files))
