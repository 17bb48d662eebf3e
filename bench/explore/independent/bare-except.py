"""An except that catches everything.

Mistake: false-success
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import call, ensure_active, wait_for

path = ensure_active()
try:
    call("POST", path + "/pause")
    wait_for(path, "Stopped")
except Exception:
    pass
