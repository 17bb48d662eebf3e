import { AbstractStartedContainer, GenericContainer, type StartedTestContainer } from 'testcontainers'

/** A container of svc-mock, with a control token of its own. */
export declare class SvcMockContainer extends GenericContainer {
  /** @param image `svc-mock` by default */
  constructor(image?: string)
  /** Starts it. @returns the container, once its server is ready */
  start(): Promise<StartedSvcMockContainer>
}

export declare class StartedSvcMockContainer extends AbstractStartedContainer {
  constructor(container: StartedTestContainer, token: string)
  /** The address of the server, without a base path. */
  get url(): string
  /** Headers that send a request to the sandbox of a key, and may control it. */
  headers(key: string): Record<string, string>
}
