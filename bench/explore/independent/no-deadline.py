"""Waits without a deadline.

Mistake: hang
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import time

from lib import call, ensure_group, ensure_workspace, status_of

group = ensure_group("team")
path = f"/workgroups/{group}/workspaces/{ensure_workspace(group, 'main')}"
while status_of(path) not in ("Active", "Failed"):
    time.sleep(0.05)
if status_of(path) == "Failed":
    sys.exit("it has failed")
