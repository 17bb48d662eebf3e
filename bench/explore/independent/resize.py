"""Resizes a workspace, waits until that is done, and checks the size.

Mistake: none
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import ensure_active, get, put, wait_for

path = ensure_active()
put(path, {"workspace_type_name": "SVC-2"})
wait_for(path, "Active")
if get(path)["workspace_type"]["typeName"] != "SVC-2":
    raise SystemExit("it has another size")
