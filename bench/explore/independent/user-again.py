"""Takes the 400 of a repeated create, whose first reply was lost, for a failure.

Mistake: inconsistent
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_active

path = ensure_active()
again(lambda: call("POST", path + "/dbuser", {"username": "app", "password": "secret-of-app"}))
