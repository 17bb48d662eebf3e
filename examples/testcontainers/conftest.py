"""svc-mock in a container, for the fixtures of pytest-svc-mock. See docs/containers.md.

Needs, from a checkout of svc-mock: pip install './clients/python[testcontainers]'
"""
import pytest
from svc_mock.containers import SvcMockContainer

pytest_plugins = ["svc_mock"]


@pytest.fixture(scope="session")
def svc_mock():
    with SvcMockContainer() as container:
        yield container.mock()
