"""Waits for a fixed time instead of the end, and says that all is well.

Mistake: false-success
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import time

from lib import ensure_group, ensure_workspace, get

group = ensure_group("team")
path = f"/workgroups/{group}/workspaces/{ensure_workspace(group, 'main')}"
for _ in range(5):
    time.sleep(0.02)
    get(path)
print("ready")
