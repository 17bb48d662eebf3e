"""Adds an address again after a lost reply.

Mistake: duplicate or inconsistent
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_group

path = f"/workgroups/{ensure_group('team')}/allow_list"
again(lambda: call("POST", path, {"cidr": "10.0.0.0/8", "note": "office"}))
