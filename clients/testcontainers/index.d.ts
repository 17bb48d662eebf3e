import { AbstractStartedContainer, GenericContainer, type StartedTestContainer } from 'testcontainers'

/** A container of svc-mock, with a control token of its own. */
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
  /** What a caller of its control API sends as `X-Mock-Token`. */
  get controlToken(): string
}
