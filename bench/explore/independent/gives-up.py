"""Gives up with a warning and exit status 0.

Mistake: false-success
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import CallError, again, call, ensure_active

path = ensure_active()
try:
    again(lambda: call("PUT", path, {"auto_stop_minutes": 30}))
except CallError as error:
    print("warning:", error, file=sys.stderr)
