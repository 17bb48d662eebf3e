"""Does not look at the status of a reply.

Mistake: false-success
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import http.client
from urllib.parse import urlsplit

from lib import KEY, ROOT, ensure_group

path = f"{urlsplit(ROOT).path}/workgroups/{ensure_group('team')}/allow_list/enable"
for attempt in range(3):
    try:
        connection = http.client.HTTPConnection(urlsplit(ROOT).netloc, timeout=5)
        connection.request("PUT", path, headers={"x-api-key": KEY})
        connection.getresponse().read()
        break
    except OSError:
        continue
