import { AssertionError } from 'node:assert'
import { ServiceError } from '../interface/errors.js'
import { bare } from '../lib/call-site.js'
import { typeName } from '../lib/type-name.js'
import { callNamed } from '../test-control/calls.js'
import { callOperation, type Target } from '../test-control/handle/call.js'
import { fromCaller } from '../test-control/handle/from-caller.js'
import type { SandboxHandle } from '../test-control/handle/handle.js'
import type { OperationId, Operations } from '../test-control/handle/types.js'
import { type Invoke, methodsOf, needed } from './methods.js'

export type { SandboxHandle } from '../test-control/handle/handle.js'

/** Access to a sandbox: in this process, or over HTTP. */
export interface Access {
  /** Address of the server, without the base path. */
  readonly url: string
  readonly key: string
  /** Empty if the server has none. */
  readonly controlToken: string
  /** Where operations are sent. @throws {ServiceError} if the server has been stopped */
  readonly target: () => Target
  readonly invoke: Invoke
  /** The coverage as JUnit XML. */
  readonly junit: () => Promise<string>
  readonly recording: () => Promise<string>
  /** @throws {ServiceError} `notAllowed` if the journal is off */
  readonly assertRemembers: () => Promise<void>
  readonly remove: () => Promise<void>
  readonly toFork: (key: string) => Access
}

/** The headers of a request to a sandbox; without a key, of a request about all sandboxes. */
export function headersOf({ key, controlToken }: Pick<Access, 'key' | 'controlToken'>): Record<string, string> {
  return {
    ...(key === '' ? {} : { 'x-api-key': key }),
    ...(controlToken === '' ? {} : { 'x-mock-token': controlToken })
  }
}

/** Functions to call before a server stops, because they read from it. */
export type BeforeClose = Set<() => Promise<unknown>>

export function sandboxHandle(access: Access, beforeClose: BeforeClose = new Set()): SandboxHandle {
  const { url, key, invoke, recording } = access
  const { sandboxes: _, ...methods } = methodsOf(invoke)
  const beforeRemoval: BeforeClose = new Set()
  const remove = async () => {
    // If a read fails, the end of the test reports it.
    await Promise.allSettled([...beforeRemoval].map((read) => read()))
    for (const read of beforeRemoval) beforeClose.delete(read)
    beforeRemoval.clear()
    await access.remove()
  }
  const call: SandboxHandle['call'] = async <Name extends OperationId>(operation: Name, ...given: unknown[]) => {
    const [input = {}] = given
    const result = await callOperation(access.target(), operation, input as Readonly<Record<string, unknown>>)
    return result as Operations[Name]['result']
  }
  const verifyCalls: SandboxHandle['verify'] = async (expectation) => {
    try {
      return await methods.verify(expectation)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.condition !== 'notAllowed') throw error
      throw bare(new AssertionError({ message: error.message, operator: 'verify' }))
    }
  }
  return fromCaller<SandboxHandle>({
    url,
    key,
    headers: headersOf(access),
    call,
    ...methods,
    clock: {
      ...methods.clock,
      freeze: (now) => methods.clock.set({ mode: 'frozen', ...(now === undefined ? {} : { now }) }),
      resume: () => methods.clock.set({ mode: 'real' })
    },
    coverage: { ...methods.coverage, junit: access.junit },
    recording,
    record: async (when, test, directory = 'recordings') => {
      if ((when as unknown) !== 'on-failure')
        throw bare(new TypeError(`the first argument must be 'on-failure', not ${typeName(when)}`))
      const { recordOnFailure } = await import('../recording/on-failure.js')
      await access.assertRemembers()
      const readNow = recordOnFailure(test, needed({ directory }), recording)
      beforeRemoval.add(readNow)
      beforeClose.add(readNow)
    },
    verify: verifyCalls,
    fork: async (fork) => {
      const { key: forked } = (await invoke(callNamed('forkSandbox'), [fork])) as { key: string }
      return sandboxHandle(access.toFork(forked), beforeClose)
    },
    remove,
    [Symbol.asyncDispose]: remove
  })
}
