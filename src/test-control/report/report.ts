import type { ControlPlane } from '../../control-plane.js'
import { finish, type Slices } from '../../lib/slices.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { Finding } from './finding.js'
import { type LeftBehind, listLeftBehind } from './left-behind.js'
import { findFastPolls } from './polls.js'
import { findIgnoredErrors, findIgnoredRetryAfter, findMissingBackOff } from './retries.js'
import { findTransientStates } from './transient-states.js'

export interface Report {
  readonly findings: readonly Finding[]
  /** Leftovers that a test should have cleaned up. */
  readonly left_behind: readonly LeftBehind[]
}

/** Reviews the client by the requests in the journal, and lists what it has left behind in the sandbox. */
export function readReport(plane: ControlPlane, sandbox: Sandbox): Report {
  return finish(reportInSlices(plane, sandbox, () => false))
}

/** {@link readReport}, in slices. @param isTimeUp asked after each step whether to yield */
export function* reportInSlices(plane: ControlPlane, sandbox: Sandbox, isTimeUp: () => boolean): Slices<Report> {
  const requests = sandbox.journal.requests()
  let findings: Finding[] = []
  for (const find of [findFastPolls, findMissingBackOff, findIgnoredRetryAfter, findIgnoredErrors]) {
    if (isTimeUp()) yield
    findings = findings.concat(find(requests))
  }
  if (isTimeUp()) yield
  findings = findings.concat(findTransientStates(plane, sandbox, requests))
  if (isTimeUp()) yield
  return { findings, left_behind: listLeftBehind(plane, sandbox) }
}
