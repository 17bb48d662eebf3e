import type { LeftBehind, Report, RequestList } from '../test-control/handle/types.js'
import type { Overview } from '../test-control/overview/schemas.js'

/** A sandbox at one moment. */
export interface Observation {
  readonly requests: RequestList
  readonly report: Report
  readonly overview: Overview
}

/** Says what a command did between two moments: a line, and one more for each finding and for each thing it left. */
export function summarize(before: Observation, after: Observation): string {
  const count = countOf(after) - countOf(before)
  const known = new Set(before.requests.requests.map(({ request_id: id }) => id))
  const findings = after.report.findings.filter(({ requests }) => requests.some((id) => !known.has(id)))
  const there = new Set(resourcesOf(before).map(({ key }) => key))
  const created = resourcesOf(after).flatMap(({ key, text }) => (there.has(key) ? [] : [text]))
  const leftovers = newLeftovers(before, after)
  const head = [
    plural(count, 'request'),
    plural(findings.length, 'finding'),
    created.length + leftovers.length === 0 ? 'nothing left behind' : 'left behind:'
  ]
  return [
    head.join(', '),
    ...created,
    ...leftovers.map(({ kind, message, ids }) => `${kind}: ${message} (${ids.join(', ')})`),
    ...findings.map(({ rule, message }) => `${rule}: ${message}`)
  ].join('\n  ')
}

const countOf = ({ requests }: Observation) => requests.requests.length + requests.dropped

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** What there is, in a few words each. */
const resourcesOf = ({ overview: { workgroups, workspaces } }: Observation) => [
  ...workgroups.map(({ workgroup_id: id, name }) => ({ key: `workgroup ${id}`, text: `workgroup ${name} (${id})` })),
  ...workspaces.map(({ workspace_id: id, name, status }) => ({ key: id, text: `workspace ${name} (${id}, ${status})` }))
]

/** What the report lists now and did not list before. */
function newLeftovers(before: Observation, after: Observation): LeftBehind[] {
  const there = new Set(before.report.left_behind.flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`)))
  return after.report.left_behind
    .map(({ ids, ...rest }) => ({ ...rest, ids: ids.filter((id) => !there.has(`${rest.kind} ${id}`)) }))
    .filter(({ ids }) => ids.length > 0)
}
