"""Tests a client against svc-mock, with the standard library only.

It needs a running server (svc-mock serve, or npm start); another one is named by MOCK_URL.
    python3 -m unittest discover examples/python
"""
import json
import os
import unittest
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("MOCK_URL", "http://127.0.0.1:4700").rstrip("/")
API = "/controller/v4/v2"


class Sandbox:
    """A sandbox: each new key gets one, with its own data, clock and faults."""

    def __init__(self):
        self.key = f"python-{uuid.uuid4()}"

    def call(self, method, path, body=None):
        """Makes a call. Returns the status and the parsed reply."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"x-api-key": self.key, "Content-Type": "application/json"}
        request = urllib.request.Request(URL + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def control(self, method, path, body=None):
        """Calls the control API, which must succeed. Returns its Result."""
        status, reply = self.call(method, f"/_mock{path}", body)
        assert status == 200, reply
        return reply.get("Result")


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.box = Sandbox()
        workspace = {"id": "writer", "backup_schedule": {"schedule": "0 3 * * *"}}
        self.box.control("PUT", "/seed", {
            "clock": {"mode": "frozen", "now": "2027-01-01T00:00:00Z"},
            "workgroups": [{"id": "main", "workspaces": [workspace]}],
        })

    def tearDown(self):
        self.box.control("DELETE", "/sandboxes")

    def test_a_backup_is_made_every_night(self):
        self.box.control("POST", "/clock/advance", {"by": "P7D"})
        _, reply = self.box.call("GET", f"{API}/workspaces/writer/backups")
        self.assertEqual(7, len(reply["Result"]))

    def test_a_pause_that_fails_leaves_the_workspace_active(self):
        rule = {"transition": "workspace.pause", "outcome": "fail", "reason": "Busy."}
        self.box.control("PUT", "/transitions", {"rules": [rule]})
        self.box.call("POST", f"{API}/workgroups/main/workspaces/writer/pause")
        self.box.control("POST", "/clock/advance", {"until": "idle"})
        _, reply = self.box.call("GET", f"{API}/workgroups/main/workspaces/writer")
        self.assertEqual("Active", reply["Result"]["status"])

    def test_a_call_that_is_tried_again_succeeds(self):
        self.box.control("POST", "/faults", {"operation": "listWorkgroups", "times": 1, "effect": {"status": 503}})
        statuses = [self.box.call("GET", f"{API}/workgroups")[0] for _ in range(2)]
        self.assertEqual([503, 200], statuses)


if __name__ == "__main__":
    unittest.main()
