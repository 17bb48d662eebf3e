"""Names what it makes at random, so that a second run does not find it.

Mistake: not-recovered
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import uuid

from lib import ensure_active

path = ensure_active("team-" + uuid.uuid4().hex[:8])
print(path)
