"""hcloud: its requests, its errors and its waiting for actions."""

from hcloud import Client
from hcloud.images.domain import Image
from hcloud.server_types.domain import ServerType
from lib import adapt, main, named, renamed

STATES = {"Creating": "running", "Failed": "error"}
CODES = {404: "not_found", 409: "conflict", 429: "rate_limit_exceeded"}


def server(result):
    return {"id": result["workspace_id"], "name": result["name"], "created": "2026-01-01T00:00:00+00:00"}


def action(result):
    return {"id": result["workspace_id"], "status": STATES.get(result["status"], "success")}


adapt(
    [
        (
            "POST", "/v1/servers", "POST", "/workspaces",
            named,
            lambda result: {
                "server": server(result),
                "action": action(result),
                "next_actions": [],
                "root_password": None,
            },
        ),
        (
            "GET", "/v1/actions/(.*)", "GET", r"/workspaces/\1",
            None,
            lambda result: {"action": action(result)},
        ),
        (
            "PUT", "/v1/servers/(.*)", "PUT", r"/workspaces/\1",
            renamed,
            lambda result: {"server": {"id": "", "name": ""}},
        ),
        (
            "DELETE", "/v1/servers/(.*)", "DELETE", r"/workspaces/\1",
            None,
            lambda result: {"action": {"id": "", "status": "success"}},
        ),
    ],
    lambda status, message: {"error": {"code": CODES.get(status, "unknown"), "message": message, "details": None}},
)


def program():
    client = Client(token="token")
    created = client.servers.create("writer", ServerType("cx11"), image=Image(name="debian"))
    try:
        created.action.wait_until_finished()
        created.server.update(name="reader")
    finally:
        created.server.delete()


main(program)
