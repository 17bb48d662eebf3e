"""Runs svc-mock in a container, for the fixtures and sandboxes of svc_mock. Needs testcontainers."""
import secrets

from svc_mock import Mock
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

PORT = 4700


class SvcMockContainer(DockerContainer):
    """A container of svc-mock with a random control token."""

    def __init__(self, image: str = "svc-mock", **options):
        super().__init__(image, **options)
        # The port is published on all addresses of the machine.
        self.token = secrets.token_hex()
        self.with_exposed_ports(PORT)
        self.with_env("SVC_MOCK_CONTROL_TOKEN", self.token)
        self.waiting_for(HttpWaitStrategy(PORT, "/_mock/ready").for_status_code(200))

    def mock(self) -> Mock:
        """The server in the running container."""
        return Mock(f"http://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}", self.token)
