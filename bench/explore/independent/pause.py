"""Pauses a workspace, if it is not paused yet, and waits until it is.

Mistake: none
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_active, status_of, wait_for

path = ensure_active()


def pause():
    if status_of(path) not in ("Pausing", "Stopped"):
        call("POST", path + "/pause")


again(pause)
wait_for(path, "Stopped")
