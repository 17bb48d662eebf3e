"""Sets a schedule of backups, which can be set twice, and reads it back.

Mistake: none
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_active, get

path = ensure_active() + "/backups/schedule"
again(lambda: call("POST", path, {"schedule": "0 3 * * *", "max_backup_files": 7}))
if get(path)["schedule"] != "0 3 * * *":
    raise SystemExit("the schedule is not in force")
