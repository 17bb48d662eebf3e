"""Sees to it that a workspace has two users, with the passwords that they should have.

Mistake: none
"""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from lib import again, call, ensure_active, get

path = ensure_active() + "/dbuser"


def ensure_user(username, password):
    user = {"username": username, "password": password}
    if any(known["username"] == username for known in get(path)):
        call("PUT", path, user)
    else:
        call("POST", path, user)


for name in ("reader", "writer"):
    again(lambda: ensure_user(name, "secret-" + name))
