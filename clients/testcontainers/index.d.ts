import { AbstractStartedContainer, GenericContainer, type StartedTestContainer } from 'testcontainers'

/** A container of svc-mock with a random control token. */
export declare class SvcMockContainer extends GenericContainer {
  /** @param image `svc-mock` by default */
  constructor(image?: string)
  /** Starts it. @returns the container, once its server is ready */
  start(): Promise<StartedSvcMockContainer>
}

/** A running container, which `connectMock()` of svc-mock takes. */
export declare class StartedSvcMockContainer extends AbstractStartedContainer {
  constructor(container: StartedTestContainer, token: string)
  /** The address of the server, without a base path. */
  get url(): string
  /** The value of `X-Mock-Token` for its control API. */
  get controlToken(): string
}
