/// <reference lib="esnext.disposable" preserve="true" />
import type {
  ClockCalls,
  CoverageCalls,
  Expectation,
  Moved,
  NewFork,
  OperationId,
  Operations,
  SandboxCalls,
  SandboxesHandle,
  Verified
} from './types.js'

// The types of `startMock()`. They refer to no package, so they work wherever svc-mock is installed.

/** The arguments of {@link SandboxHandle.call} after the operation: nothing, or the ids in its path and its body. */
export type CallArguments<Name extends OperationId> = Operations[Name]['input'] extends undefined
  ? []
  : [input: Operations[Name]['input']]

/** The clock of a sandbox. Times are timestamps. Each move resolves once all events due on the way have run. */
export interface ClockHandle extends ClockCalls {
  /** Stops the clock, at the given time if any. */
  freeze: (now?: string) => Promise<Moved>
  /** Runs in real time again, from the current time of the clock. */
  resume: () => Promise<Moved>
}

/** Coverage of the interface so far. */
export interface CoverageHandle extends CoverageCalls {
  /** The report as JUnit XML. */
  junit: () => Promise<string>
}

/** The context of a test of node:test. */
interface NodeTestContext {
  readonly name: string
  readonly fullName?: string
  readonly passed: boolean
  after: (act: () => Promise<void>) => void
  diagnostic: (text: string) => void
}

/** The context of a test of tap. */
interface TapTestContext {
  readonly fullname: string
  passing: () => boolean
  teardown: (act: () => Promise<void>) => void
  comment: (text: string) => void
}

/** A test or suite of Vitest. */
export interface VitestTask {
  readonly name: string
  readonly suite?: VitestTask
}

/** The context of a test of Vitest. */
interface VitestTestContext {
  readonly task: VitestTask
  onTestFailed: (act: () => Promise<void>) => void
}

/** The argument of a test. */
export type TestContext = NodeTestContext | TapTestContext | VitestTestContext

/** A sandbox, as a test controls it. */
export interface SandboxHandle extends SandboxCalls, AsyncDisposable {
  /** The address of the server, without the base path. */
  readonly url: string
  /** Its API key. */
  readonly key: string
  /** Headers that send a request to it, including the control token, if there is one. */
  readonly headers: Readonly<Record<string, string>>
  /** Its clock: stop it, advance it, or let it run faster. */
  readonly clock: ClockHandle
  /** Which parts of the interface were exercised. */
  readonly coverage: CoverageHandle
  /**
   * Calls an operation over HTTP, as any client would, so the call is recorded and faults apply to it. With `brand`,
   * bodies and results have the names of the brand, not those of these types.
   * @param operation operationId
   * @param input the ids in its path, and its `body`; nothing if it has neither
   * @returns the `Result` of the reply
   * @throws {CallError} if the reply says that the call failed
   * @throws {TypeError} naming an operation, an id or a field that is unknown or missing
   * @example await box.call('createWorkspace', { workgroupID: 'main', body: { name: 'writer' } })
   */
  call: <Name extends OperationId>(
    operation: Name,
    ...input: CallArguments<Name>
  ) => Promise<Operations[Name]['result']>
  /**
   * Verifies calls.
   * @throws {AssertionError} of `node:assert`, with the nearest misses, if the expectation is not met
   * @throws {ServiceError} if the expectation itself is invalid
   */
  verify: (expectation: Expectation) => Promise<Verified>
  /** A recording of the part that memory holds, as the lines of a file for `svc-mock recording`. */
  recording: () => Promise<string>
  /**
   * If a test fails, writes a recording of the sandbox into a directory, as a file named after the test.
   * @param test the context of a test of node:test, tap or Vitest
   * @param directory created if necessary; `recordings` by default
   * @throws {TypeError} if `test` is no such context
   * @throws {ServiceError} if the journal is off
   * @example await box.record('on-failure', t)
   */
  record: (when: 'on-failure', test: TestContext, directory?: string) => Promise<void>
  /** Creates a sandbox from a snapshot of this one, or by default from its baseline. */
  fork: (fork?: NewFork) => Promise<SandboxHandle>
  /** Removes it with everything in it. */
  remove: () => Promise<void>
}

/** A running server, in this process or another. */
export interface MockServer {
  /** The address it listens on, e.g. `http://127.0.0.1:4700`, without the base path. */
  readonly url: string
  /**
   * Returns a handle for the sandbox of a key, or for a new sandbox if no key is given. With `auth: 'off'` there is
   * only one sandbox.
   */
  sandbox: (key?: string) => SandboxHandle
  /** All sandboxes of the server. */
  readonly sandboxes: SandboxesHandle
}

/** A server in this process. */
export interface Mock extends MockServer, AsyncDisposable {
  /** Waits for pending requests, closes the database, and stops. Later calls wait for the same end. */
  close: () => Promise<void>
}
