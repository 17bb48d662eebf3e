import { randomUUID } from 'node:crypto'
import { AbstractStartedContainer, GenericContainer, Wait } from 'testcontainers'

const PORT = 4700

export class SvcMockContainer extends GenericContainer {
  // The port is published on all addresses of the machine.
  #token = randomUUID()

  constructor(image = 'svc-mock') {
    super(image)
    this.withExposedPorts(PORT)
      .withEnvironment({ SVC_MOCK_CONTROL_TOKEN: this.#token })
      .withWaitStrategy(Wait.forHttp('/_mock/ready', PORT).forStatusCode(200))
  }

  async start() {
    return new StartedSvcMockContainer(await super.start(), this.#token)
  }
}

export class StartedSvcMockContainer extends AbstractStartedContainer {
  #token

  constructor(container, token) {
    super(container)
    this.#token = token
  }

  get url() {
    return `http://${this.getHost()}:${this.getMappedPort(PORT)}`
  }

  get controlToken() {
    return this.#token
  }
}
