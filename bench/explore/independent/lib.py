"""What the clients in Python share, written with care. One with a mistake makes it in its own file."""

import json
import os
import time
import urllib.error
import urllib.request

ROOT = os.environ["SVC_MOCK_URL"] + "/controller/v4/v2"
KEY = os.environ["SVC_MOCK_KEY"]


class CallError(Exception):
    """A call that failed. Without a status, there was no complete reply."""

    def __init__(self, message, status=None, retry_after=None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_transient(self):
        return self.status is None or self.status == 429 or self.status >= 500


def call(method, path, body=None):
    """Sends a request once, and returns its result."""
    headers = {"x-api-key": KEY}
    data = None
    if body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(ROOT + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            reply = json.load(response)
    except urllib.error.HTTPError as error:
        raise CallError(f"{method} {path}: {error}", error.code, error.headers.get("retry-after")) from error
    except Exception as error:
        raise CallError(f"{method} {path}: {error}") from error
    if reply.get("Error") is not False:
        raise CallError(f"{method} {path}: {reply.get('Message')}", 200)
    return reply.get("Result")


def back_off(attempt, error):
    """Waits longer each time, and at least as long as the server asks for."""
    time.sleep(max(0.05 * 2**attempt, float(error.retry_after or 0)))


def again(work):
    """Calls what may be called twice, up to five times."""
    for attempt in range(5):
        try:
            return work()
        except CallError as error:
            if not error.is_transient or attempt == 4:
                raise
            back_off(attempt, error)


def get(path):
    return again(lambda: call("GET", path))


def put(path, body=None):
    return again(lambda: call("PUT", path, body))


def ensure(find, create):
    """Creates something that is not there. After a failure it looks before it tries again."""
    return again(lambda: find() or create())


def find_by_name(items, name):
    return next((item for item in items if item["name"] == name), None)


def ensure_group(name):
    return ensure(
        lambda: find_by_name(get("/workgroups"), name),
        lambda: call("POST", "/workgroups", {"name": name, "cloud_provider_id": "account"}),
    )["workgroup_id"]


def ensure_workspace(group, name):
    return ensure(
        lambda: find_by_name(get(f"/workgroups/{group}")["workspaces"], name),
        lambda: call("POST", f"/workgroups/{group}/workspaces", {"name": name}),
    )["workspace_id"]


def status_of(path):
    return get(path)["status"]


def wait_for(path, wanted):
    """Waits for a status, but not for ever, and not in one that it does not leave."""
    for attempt in range(60):
        status = status_of(path)
        if status == wanted:
            return
        if status == "Failed":
            raise RuntimeError(f"{path} has failed")
        time.sleep(0.02 + 0.005 * attempt)
    raise RuntimeError(f"{path} is not {wanted} after 60 looks")


def remove(path):
    """What is gone already need not be removed."""

    def once():
        try:
            call("DELETE", path)
        except CallError as error:
            if error.status != 404:
                raise

    again(once)


def wait_until_gone(path):
    for attempt in range(60):
        try:
            get(path)
        except CallError as error:
            if error.status == 404:
                return
            raise
        time.sleep(0.02 + 0.005 * attempt)
    raise RuntimeError(f"{path} is still there after 60 looks")


def ensure_active(group_name="team", name="main"):
    """The usual beginning: a workgroup with an active workspace. Returns the path of the workspace."""
    group = ensure_group(group_name)
    path = f"/workgroups/{group}/workspaces/{ensure_workspace(group, name)}"
    # An earlier run may have left it in any state.
    status = status_of(path)
    if status == "Failed":
        remove(path)
        wait_until_gone(path)
        path = f"/workgroups/{group}/workspaces/{ensure_workspace(group, name)}"
    if status == "Stopped":
        again(lambda: status_of(path) == "Stopped" and call("POST", path + "/resume"))
    wait_for(path, "Active")
    return path
