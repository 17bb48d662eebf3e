import { replyText, type RequestEntry } from '../../journal/journal.js'
import { toTimestamp } from '../../lib/time.js'
import type { Profile } from '../../profile/profile.js'
import type { StateWords } from '../../profile/states.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { type Finding, findingOf } from './schemas.js'

/** Operations whose reply shows the status of one workspace. */
const SHOW_ONE: ReadonlySet<string> = new Set(['createWorkspace', 'getWorkspace', 'updateWorkspace'])
/** Operations whose reply shows workspaces among other things, which a client may or may not read. */
const SHOW_MANY = /^(?:listWorkgroups|(?:get|update)(?:Workgroup|Database))$/

const TRANSIENT: ReadonlySet<string> = new Set(Object.values(WORKSPACE_TRANSITIONS).map(({ during }) => during))

/** Time in which a client should look again after the end of a state, in milliseconds by the sandbox's clock. */
const LONG = 10_000

/** A client's last view of a workspace. */
interface Sight {
  readonly request: RequestEntry
  readonly status: string
  /** Later calls that the state guard refused. */
  readonly refused: RequestEntry[]
  /** Whether there was no later call on the workspace. */
  isLast: boolean
}

/** Finds workspaces whose last status the client saw was transient, but which it treated as final. */
export function findTransientStates(
  requests: readonly RequestEntry[],
  plane: ControlPlane,
  sandbox: Sandbox
): Finding[] {
  const findings: Finding[] = []
  const sights = new Map<string, Sight>()
  const forget = (id: string) => {
    const sight = sights.get(id)
    if (sight !== undefined && sight.refused.length > 0) findings.push(refusedFinding(plane.profile, id, sight))
    sights.delete(id)
  }
  for (const request of requests) {
    const { operation, params, outcome } = request
    if (operation !== undefined && SHOW_MANY.test(operation)) for (const id of [...sights.keys()]) forget(id)
    const seen = seenIn(request, plane.profile.words)
    if (seen !== undefined) {
      forget(seen.id)
      sights.set(seen.id, { request, status: seen.status, refused: [], isLast: true })
      continue
    }
    const sight = sights.get(params['workspaceID'] ?? '')
    if (sight === undefined) continue
    sight.isLast = false
    if (outcome.error?.guardId !== undefined && TRANSIENT.has(sight.status)) sight.refused.push(request)
  }
  const abandoned = [...sights]
    .filter(([, { status, isLast }]) => isLast && TRANSIENT.has(status))
    .flatMap(([id, sight]) => abandonedFinding(plane, sandbox, id, sight))
  for (const id of [...sights.keys()]) forget(id)
  return [...findings, ...abandoned]
}

function refusedFinding({ words }: Profile, id: string, { request, status, refused }: Sight): Finding {
  const names = [...new Set(refused.map(({ operation }) => operation!))].join(', ')
  return findingOf(
    'transient-state-taken-for-end',
    [request, ...refused],
    `The workspace ${id} was last seen ${words.workspace.toWire(status)}, a transient state, and ${names} was ` +
      'refused after that; read it until the state has ended.'
  )
}

function abandonedFinding(plane: ControlPlane, sandbox: Sandbox, id: string, { request, status }: Sight): Finding[] {
  const end = plane.timeline
    .list(sandbox.key, id)
    .find(({ at, attribute, from }) => attribute === 'status' && from === status && at >= request.at)
  if (end === undefined || plane.engine.now(sandbox) - end.at < LONG) return []
  const { toWire } = plane.profile.words.workspace
  return [
    findingOf(
      'transient-state-taken-for-end',
      [request],
      `The workspace ${id} was last seen ${toWire(status)}, which ended at ${toTimestamp(end.at)} with ` +
        `${toWire(end.to)}, and the client did not look again; poll it until the state has ended.`
    )
  ]
}

/** The workspace that a reply shows. */
function seenIn(request: RequestEntry, words: StateWords): { id: string; status: string } | undefined {
  const { operation, outcome } = request
  const text =
    outcome.status === 200 && operation !== undefined && SHOW_ONE.has(operation) ? replyText(request) : undefined
  if (text === undefined) return undefined
  const {
    Result: { workspace_id: id, status }
  } = JSON.parse(text) as { Result: { workspace_id: string; status: string } }
  return { id, status: words.workspace.fromWire(status) }
}
