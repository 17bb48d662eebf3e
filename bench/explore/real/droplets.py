"""python-digitalocean: its requests, its errors and its waiting for actions."""

import os

os.environ["PYTHON_DIGITALOCEAN_REQUEST_TIMEOUT_SEC"] = "3"

from digitalocean import Droplet
from lib import adapt, main, named, renamed

STATES = {"Creating": "in-progress", "Failed": "errored"}


def droplet(result):
    ident = result["workspace_id"]
    return {"droplet": {"id": ident}, "links": {"actions": [{"id": ident}]}}


def action(result):
    return {"id": result["workspace_id"], "status": STATES.get(result["status"], "completed")}


adapt(
    [
        ("POST", "/v2/droplets/", "POST", "/workspaces", named, droplet),
        (
            "GET", "/v2/droplets/(.*)/actions/", "GET", r"/workspaces/\1",
            None,
            lambda result: {"actions": [action(result)]},
        ),
        (
            "GET", "/v2/droplets/(.*)/actions/.*", "GET", r"/workspaces/\1",
            None,
            lambda result: {"action": action(result)},
        ),
        (
            "POST", "/v2/droplets/(.*)/actions/", "PUT", r"/workspaces/\1",
            renamed,
            lambda result: {"action": {"status": "completed"}},
        ),
        ("DELETE", "/v2/droplets/(.*)", "DELETE", r"/workspaces/\1", None, lambda result: None),
    ],
    lambda status, message: {"id": str(status), "message": message},
)


def program():
    droplet = Droplet(token="token", name="writer", region="nyc2", image="debian", size_slug="small")
    droplet.create()
    try:
        for action in droplet.get_actions():
            if not action.wait():
                raise RuntimeError("the droplet has failed")
        droplet.rename("reader")
    finally:
        droplet.destroy()


main(program)
