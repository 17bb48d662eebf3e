"""Adds a schedule without an id, again after a lost reply.

Mistake: duplicate
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_active

path = ensure_active()
schedule = {"workspace_id": path.split("/")[-1], "repeat": "daily", "time": "08:00", "timezone": "UTC"}
again(lambda: call("POST", path + "/backups/schedule?operation=update_workspace_schedule", schedule))
