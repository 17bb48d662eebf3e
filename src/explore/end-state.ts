import { groupBy } from '../lib/group-by.js'
import { isSecret } from '../lib/mask.js'
import { canonical, type Masking } from './masking.js'
import { labelOf } from './points.js'

/** Something that exists at the end of a run, without its ids and times. */
export interface Resource {
  /** Such as `workspace`. */
  readonly kind: string
  /** The names of what it is in and its own, such as `main/writer`. */
  readonly path: string
  readonly properties: Readonly<Record<string, string>>
}

/** A resource that one state has and the other has not, or has in another number. */
export interface Surplus extends Pick<Resource, 'kind' | 'path'> {
  readonly count: number
  readonly expected: number
}

/** A resource with another property. */
export interface Changed extends Pick<Resource, 'kind' | 'path'> {
  readonly property: string
  readonly expected: string
  readonly actual: string
}

/** How the end of a run differs from that of the reference. */
export interface Difference {
  readonly extra: readonly Surplus[]
  readonly missing: readonly Surplus[]
  readonly changed: readonly Changed[]
}

/** The lists of a state document, and what is in them. */
const KINDS: Readonly<Record<string, string>> = {
  workgroups: 'workgroup',
  workspaces: 'workspace',
  schedules: 'schedule',
  users: 'database user',
  entries: 'allow-list entry',
  backups: 'backup',
  restore_jobs: 'restore job',
  org_users: 'org user',
  databases: 'database'
}

/** Fields that differ although nothing is wrong: ids, times, and counts of changes. */
const IGNORED = /^(?:id|.*_id|.*_at|time|.*_time|database|last_.*|.*_number|.*_bytes|output|.*_message|tag)$/
/** Some of them are settings. */
const KEPT = /^(?:cloud_provider_id|solution_catalog_id)$/

/** The name that the server gives a database. */
const UNCHOSEN = /^database-[0-9a-f]{8}$/

type Fields = Readonly<Record<string, unknown>>

/** What a state document has, without what each run draws anew. */
export function resourcesOf(
  { org_users, workgroups }: { readonly org_users?: unknown; readonly workgroups?: unknown },
  masking: Masking
): Resource[] {
  const found: Resource[] = []
  walk({ org_users, workgroups }, [])
  return found

  /** @returns the fields of its own */
  function walk(fields: Fields, path: readonly string[]): Record<string, string> {
    const own: Record<string, string> = {}
    for (const [field, value] of Object.entries(fields)) {
      const kind = KINDS[field]
      if (kind !== undefined && Array.isArray(value)) for (const item of value as Fields[]) add(kind, item, path)
      else if (field === 'allow_list') Object.assign(own, walk(value as Fields, path))
      else if (value !== undefined && !isSecret(field) && (KEPT.test(field) || !IGNORED.test(field)))
        own[field] = canonical(value, masking)
    }
    return own
  }

  function add(kind: string, item: Fields, path: readonly string[]): void {
    // A schedule is what it does: nobody gives it a name.
    const label =
      kind === 'schedule' ? [item['repeat'], item['time'], item['timezone']].join(' ') : (labelOf(item) ?? kind)
    // A database that comes with a workspace stays when that is deleted, and most clients never see it.
    if (kind === 'database' && UNCHOSEN.test(label)) return
    const itsPath = [...path, masking(label)]
    const place = found.push({ kind, path: '', properties: {} }) - 1
    found[place] = { kind, path: itsPath.join('/'), properties: walk(item, itsPath) }
  }
}

/** Names a resource among those of a state. */
export const keyOf = ({ kind, path }: Resource): string => `${kind} ${path}`

/** What one state has more, less or otherwise than another. Contents of what is missing are not told apart. */
export function differenceOf(expected: readonly Resource[], actual: readonly Resource[]): Difference {
  const before = groupBy(expected, keyOf)
  const after = groupBy(actual, keyOf)
  const extra: Surplus[] = []
  const missing: Surplus[] = []
  const changed: Changed[][] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key) ?? [], after.get(key) ?? []]
    const { kind, path } = (is.at(-1) ?? was.at(-1))!
    const surplus = { kind, path, count: is.length, expected: was.length }
    if (is.length > was.length) extra.push(surplus)
    else if (is.length < was.length) missing.push(surplus)
    else changed.push(changesOf(was, is))
  }
  return { extra: outermost(extra), missing: outermost(missing), changed: changed.flat() }
}

/** Without what is in something else of the list. */
function outermost(items: readonly Surplus[]): Surplus[] {
  return items.filter(({ path }) => !items.some((other) => path.startsWith(`${other.path}/`)))
}

function changesOf(was: readonly Resource[], is: readonly Resource[]): Changed[] {
  const text = ({ properties }: Resource) => JSON.stringify(Object.entries(properties).sort())
  const [before, after] = [was, is].map((list) => [...list].sort((a, b) => (text(a) < text(b) ? -1 : 1))) as [
    Resource[],
    Resource[]
  ]
  return after.flatMap(({ kind, path, properties }, index) => {
    const old = before[index]!.properties
    return [...new Set([...Object.keys(old), ...Object.keys(properties)])]
      .filter((property) => old[property] !== properties[property])
      .map((property) => ({
        kind,
        path,
        property,
        expected: plain(old[property]),
        actual: plain(properties[property])
      }))
  })
}

/** JSON of a text as the text. */
const plain = (json: string | undefined) => (json === undefined ? 'none' : json.replaceAll(/^"|"$/g, ''))

/** Whether two states are the same. */
export function isSame({ extra, missing, changed }: Difference): boolean {
  return extra.length === 0 && missing.length === 0 && changed.length === 0
}
