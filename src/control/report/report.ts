import type { Sandbox } from '../../sandboxes/registry.js'
import type { World } from '../../world.js'
import { listLeftBehind, type LeftBehind } from './left-behind.js'
import { findFastPolls } from './polls.js'
import { findIgnoredErrors, findIgnoredRetryAfter, findMissingBackOff } from './retries.js'
import { findTransientStates } from './transient-states.js'

/** What a client does that would not go well with the real service. */
export interface Finding {
  readonly rule: 'polling-too-fast' | 'no-back-off' | 'retry-after-ignored' | 'error-ignored' | 'transient-state-taken-for-end'
  /** A sentence that says what was seen, and what to do about it. */
  readonly message: string
  /** RequestIDs of the requests that it is about, in order. */
  readonly requests: readonly string[]
}

export interface Report {
  readonly findings: readonly Finding[]
  /** What is still there that a test should have ended. */
  readonly left_behind: readonly LeftBehind[]
}

/** What the requests in the journal say about the client, and what it has left behind in the sandbox. */
export function readReport(world: World, sandbox: Sandbox): Report {
  const requests = sandbox.journal.requests()
  return {
    findings: [
      ...findFastPolls(requests),
      ...findMissingBackOff(requests),
      ...findIgnoredRetryAfter(requests),
      ...findIgnoredErrors(requests),
      ...findTransientStates(world, sandbox, requests)
    ],
    left_behind: listLeftBehind(world, sandbox)
  }
}
