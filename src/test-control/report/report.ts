import type { Slices } from '../../lib/scheduler.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { IGNORED_INPUT } from './ignored-input.js'
import { listLeftBehind } from './left-behind.js'
import { findFastPolls, findIgnoredErrors, findIgnoredRetryAfter, findMissingBackOff } from './repeats.js'
import type { Finding, Report } from './schemas.js'
import { findTransientStates } from './transient-states.js'

/** Reviews the requests in the journal, and lists what the client left behind. */
export function* readReport(plane: ControlPlane, sandbox: Sandbox, isTimeUp: () => boolean): Slices<Report> {
  // A stub is not the service: its replies say nothing about the client.
  const requests = sandbox.journal.requests().filter(({ stub }) => stub === undefined)
  let findings: Finding[] = []
  for (const find of [
    findFastPolls,
    findMissingBackOff,
    findIgnoredRetryAfter,
    findIgnoredErrors,
    ...IGNORED_INPUT,
    findTransientStates
  ]) {
    if (isTimeUp()) yield
    findings = findings.concat(find(requests, plane, sandbox))
  }
  if (isTimeUp()) yield
  return { findings, left_behind: listLeftBehind(plane, sandbox) }
}
