"""An adapter that repeats every request after a failure, also a create.

Mistake: duplicate
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_group

group = ensure_group("team")
workspace = again(lambda: call("POST", f"/workgroups/{group}/workspaces", {"name": "main"}))
print(again(lambda: call("GET", f"/workgroups/{group}/workspaces/{workspace['workspace_id']}"))["name"])
