"""svc-mock in a container, for the fixtures of clients/python/svc_mock.py. See docs/containers.md.

Needs a copy of svc_mock.py, and: pip install pytest testcontainers
"""
import secrets

import pytest
from svc_mock import Mock
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

pytest_plugins = ["svc_mock"]


@pytest.fixture(scope="session")
def svc_mock():
    token = secrets.token_hex()
    container = (
        DockerContainer("svc-mock")
        .with_exposed_ports(4700)
        .with_env("SVC_MOCK_CONTROL_TOKEN", token)
        .waiting_for(HttpWaitStrategy(4700, "/_mock/ready").for_status_code(200))
    )
    with container:
        yield Mock(f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4700)}", token)
