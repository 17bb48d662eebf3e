import type { ControlPlane } from '../../control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { Finding } from './finding.js'
import { type LeftBehind, listLeftBehind } from './left-behind.js'
import { findFastPolls } from './polls.js'
import { findIgnoredErrors, findIgnoredRetryAfter, findMissingBackOff } from './retries.js'
import { findTransientStates } from './transient-states.js'

export interface Report {
  readonly findings: readonly Finding[]
  /** What is still there that a test should have ended. */
  readonly left_behind: readonly LeftBehind[]
}

/** What the requests in the journal say about the client, and what it has left behind in the sandbox. */
export function readReport(plane: ControlPlane, sandbox: Sandbox): Report {
  const requests = sandbox.journal.requests()
  return {
    findings: [
      ...findFastPolls(requests),
      ...findMissingBackOff(requests),
      ...findIgnoredRetryAfter(requests),
      ...findIgnoredErrors(requests),
      ...findTransientStates(plane, sandbox, requests)
    ],
    left_behind: listLeftBehind(plane, sandbox)
  }
}
