// svc-mock in a container, with JUnit. See docs/containers.md; uses org.testcontainers:testcontainers-junit-jupiter
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@Testcontainers
class SvcMockTest {
  static final String TOKEN = UUID.randomUUID().toString();

  @Container
  static final GenericContainer<?> MOCK =
      new GenericContainer<>("svc-mock")
          .withExposedPorts(4700)
          .withEnv("SVC_MOCK_CONTROL_TOKEN", TOKEN)
          .waitingFor(Wait.forHttp("/_mock/ready").forPort(4700).forStatusCode(200));

  final String url = "http://" + MOCK.getHost() + ":" + MOCK.getMappedPort(4700);
  final String key = UUID.randomUUID().toString();

  @Test
  void aNewKeyIsANewSandboxWhoseClockCanBeStopped() throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url + "/_mock/clock"))
            .header("x-api-key", key)
            .header("x-mock-token", TOKEN)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString("{\"mode\": \"frozen\"}"))
            .build();
    var reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertEquals(200, reply.statusCode(), reply.body());
  }
}
