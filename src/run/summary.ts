/** A part of the report of a sandbox that lists resources. */
interface LeftBehind {
  readonly kind: string
  readonly message: string
  readonly ids: readonly string[]
}

/** A habit of the client that would cause trouble with the real service. */
interface Finding {
  readonly rule: string
  readonly message: string
  /** RequestIDs. */
  readonly requests: readonly string[]
}

/** A sandbox at one moment. */
export interface Observation {
  /** The recorded requests, and how many are recorded no longer. */
  readonly requests: { readonly requests: readonly { readonly request_id: string }[]; readonly dropped: number }
  readonly report: { readonly findings: readonly Finding[]; readonly left_behind: readonly LeftBehind[] }
  readonly overview: {
    readonly workgroups: readonly { readonly workgroup_id: string; readonly name: string }[]
    readonly workspaces: readonly { readonly workspace_id: string; readonly name: string; readonly status: string }[]
  }
}

/** Says what a command did between two moments: a line, and one more for each finding and for each thing it left. */
export function summarize(before: Observation, after: Observation): string {
  const count = countOf(after) - countOf(before)
  const known = new Set(before.requests.requests.map(({ request_id: id }) => id))
  const findings = after.report.findings.filter(({ requests }) => requests.some((id) => !known.has(id)))
  const created = createdBetween(before, after)
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

function createdBetween(before: Observation, after: Observation): string[] {
  const there = new Set(resourcesOf(before).map(({ key }) => key))
  return resourcesOf(after).flatMap(({ key, text }) => (there.has(key) ? [] : [text]))
}

/** What the report lists now and did not list before. */
function newLeftovers(before: Observation, after: Observation): LeftBehind[] {
  const there = new Set(before.report.left_behind.flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`)))
  return after.report.left_behind
    .map(({ ids, ...rest }) => ({ ...rest, ids: ids.filter((id) => !there.has(`${rest.kind} ${id}`)) }))
    .filter(({ ids }) => ids.length > 0)
}
