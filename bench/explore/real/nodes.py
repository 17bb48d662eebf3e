"""apache-libcloud: its requests with retries, its errors and its waiting until a node runs."""

import os

os.environ["LIBCLOUD_RETRY_FAILED_HTTP_REQUESTS"] = "1"

from lib import adapt, main, named, renamed
from libcloud.compute.base import NodeImage, NodeLocation, NodeSize
from libcloud.compute.drivers.digitalocean import DigitalOceanNodeDriver

STATES = {"Creating": "new", "Active": "active", "Terminating": "archive"}


def droplet(result):
    return {
        "id": result["workspace_id"],
        "name": result["name"],
        "status": STATES.get(result["status"], "off"),
        "created_at": "2026-01-01T00:00:00Z",
        "networks": {"v4": [{"type": "public", "ip_address": "203.0.113.1"}]},
    }


adapt(
    [
        ("POST", "/v2/droplets", "POST", "/workspaces", named, lambda result: {"droplet": droplet(result)}),
        (
            "GET", "/v2/droplets", "GET", "",
            None,
            lambda result: {"droplets": [droplet(each) for each in result["workspaces"]]},
        ),
        ("POST", "/v2/droplets/(.*)/actions", "PUT", r"/workspaces/\1", renamed, lambda result: {}),
        ("DELETE", "/v2/droplets/(.*)", "DELETE", r"/workspaces/\1", None, lambda result: None),
    ],
    lambda status, message: {"id": str(status), "message": message},
)


def program():
    driver = DigitalOceanNodeDriver("token")
    driver.connection.timeout = 3
    node = driver.create_node(
        "writer",
        NodeSize("small", "small", 1, 1, 1, 1, driver),
        NodeImage("debian", "debian", driver),
        NodeLocation("nyc2", "nyc2", "US", driver),
    )
    try:
        driver.wait_until_running([node])
        driver.ex_rename_node(node, "reader")
    finally:
        driver.destroy_node(node)


main(program)
