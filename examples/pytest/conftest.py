"""A sandbox for each test, whose recording is kept if the test fails.

It needs a running server (svc-mock serve, or npm start); another one is named by MOCK_URL.
    pytest examples/pytest
"""
import json
import os
import pathlib
import re
import urllib.request
import uuid

import pytest

URL = os.environ.get("MOCK_URL", "http://127.0.0.1:4700").rstrip("/")
RECORDINGS = pathlib.Path(os.environ.get("RECORDINGS", "recordings"))
HAS_FAILED = pytest.StashKey()


class Box:
    """A sandbox: each new key gets one, with its own data, clock and faults."""

    def __init__(self):
        self.key = f"pytest-{uuid.uuid4()}"

    def send(self, method, path, body=None):
        """Sends a request, which must succeed. Returns the body of the reply."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"x-api-key": self.key, "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers, method=method)) as reply:
            return reply.read()

    def result(self, method, path, body=None):
        """Sends a request, and returns the Result of the reply."""
        return json.loads(self.send(method, path, body)).get("Result")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    if (yield).get_result().failed:
        item.stash[HAS_FAILED] = True


@pytest.fixture
def box(request):
    box = Box()
    yield box
    if request.node.stash.get(HAS_FAILED, False):
        RECORDINGS.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "-", request.node.nodeid)
        (RECORDINGS / f"{name}.svcmock").write_bytes(box.send("GET", "/_mock/recording"))
    box.send("DELETE", "/_mock/sandboxes")
