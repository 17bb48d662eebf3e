"""openstacksdk: its resources, its retries of requests and its waiting for a status and for a deletion."""

import openstack
from lib import adapt, main
from openstack import resource
from openstack.proxy import Proxy


def database(result):
    return {"database": {"id": result["workspace_id"], "name": result["name"], "status": result["status"].upper()}}


def named(body):
    return {"name": body["database"]["name"]}


def renamed(body):
    return {"workspace_name": body["database"]["name"]}


ENDPOINT = "http://databases.test"

adapt(
    [
        ("POST", "/databases", "POST", "/workspaces", named, database),
        ("GET", "/databases/(.*)", "GET", r"/workspaces/\1", None, database),
        ("PUT", "/databases/(.*)", "PUT", r"/workspaces/\1", renamed, lambda result: {"database": {}}),
        ("DELETE", "/databases/(.*)", "DELETE", r"/workspaces/\1", None, lambda result: None),
    ],
    lambda status, message: {"error": {"code": status, "message": message}},
)


class Database(resource.Resource):
    resource_key = "database"
    base_path = "/databases"
    allow_create = allow_fetch = allow_commit = allow_delete = True
    name = resource.Body("name")
    status = resource.Body("status")


def program():
    cloud = openstack.connect(auth_type="none", auth={"endpoint": ENDPOINT}, api_timeout=3)
    proxy = Proxy(
        cloud.session,
        service_type="database",
        endpoint_override=ENDPOINT,
        connect_retries=2,
        status_code_retries=2,
    )
    database = Database.new(name="writer").create(proxy)
    try:
        resource.wait_for_status(proxy, database, "ACTIVE", ["FAILED"], interval=2, wait=120)
        database.name = "reader"
        database.commit(proxy)
    finally:
        database.delete(proxy)
        resource.wait_for_delete(proxy, database, interval=2, wait=120)


main(program)
