import { groupBy } from '../lib/group-by.js'
import { isObject } from '../lib/json.js'
import { isSecret } from '../lib/secrets.js'
import { canonical, type Masking } from './masking.js'
import { labelOf } from './points.js'

/** A resource at the end of a run, without ids and times. */
export interface Resource {
  /** Such as `workspace`. */
  readonly kind: string
  /** The names of its parents and its own, such as `main/writer`. */
  readonly path: string
  readonly properties: Readonly<Record<string, string>>
}

/** A resource that exists more or less often than expected. */
export interface Surplus extends Pick<Resource, 'kind' | 'path'> {
  readonly count: number
  readonly expected: number
}

/** A resource with an unexpected property. */
export interface Changed extends Pick<Resource, 'kind' | 'path'> {
  readonly property: string
  readonly expected: string
  readonly actual: string
}

/** How a run's end state differs from the reference's. */
export interface Difference {
  readonly extra: readonly Surplus[]
  readonly missing: readonly Surplus[]
  readonly changed: readonly Changed[]
}

/** The kinds of resources whose lists do not have their name. */
const KINDS: Readonly<Record<string, string>> = { entries: 'allow-list entry', users: 'database user' }

/** The kind of the resources in a list of a state document. */
const kindIn = (list: string) => KINDS[list] ?? list.replaceAll('_', ' ').replace(/s$/, '')

/** Fields that differ even in correct runs: ids, times, and counts of changes. */
const IGNORED = /^(?:id|.*_id|.*_at|time|.*_time|database|last_.*|.*_number|.*_bytes|output|.*_message|tag)$/
/** Settings that {@link IGNORED} would match. */
const KEPT = /^(?:cloud_provider_id|solution_catalog_id)$/

/** A database name that the server chose. */
const UNCHOSEN = /^database-[0-9a-f]{8}$/

type Fields = Readonly<Record<string, unknown>>

/** Reads the resources of a state document, without fields that are random in each run. */
export function resourcesOf(
  { org_users, workgroups }: { readonly org_users?: unknown; readonly workgroups?: unknown },
  masking: Masking
): Resource[] {
  const found: Resource[] = []
  walk({ org_users, workgroups }, [])
  return found

  /** Adds the resources below. @returns the other fields */
  function walk(fields: Fields, path: readonly string[]): Record<string, string> {
    const own: Record<string, string> = {}
    for (const [field, value] of Object.entries(fields)) {
      if (Array.isArray(value) && value.every(isObject)) for (const item of value) add(kindIn(field), item, path)
      else if (field === 'allow_list') Object.assign(own, walk(value as Fields, path))
      else if (value !== undefined && !isSecret(field) && (KEPT.test(field) || !IGNORED.test(field)))
        own[field] = canonical(value, masking)
    }
    return own
  }

  function add(kind: string, item: Fields, path: readonly string[]): void {
    // A schedule has no name.
    const label =
      kind === 'schedule' ? [item['repeat'], item['time'], item['timezone']].join(' ') : (labelOf(item) ?? kind)
    // A database that comes with a workspace outlives it, and most clients never see it.
    if (kind === 'database' && UNCHOSEN.test(label)) return
    const names = [...path, masking(label)]
    const properties: Record<string, string> = {}
    found.push({ kind, path: names.join('/'), properties })
    Object.assign(properties, walk(item, names))
  }
}

export const keyOf = ({ kind, path }: Resource): string => `${kind} ${path}`

/** Compares two states. The parts of extra and missing resources are not listed separately. */
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

function outermost(items: readonly Surplus[]): Surplus[] {
  return items.filter(({ path }) => !items.some((other) => path.startsWith(`${other.path}/`)))
}

function changesOf(was: readonly Resource[], is: readonly Resource[]): Changed[] {
  const text = ({ properties }: Resource) => JSON.stringify(Object.entries(properties).sort())
  const sorted = (list: readonly Resource[]) => [...list].sort((a, b) => (text(a) < text(b) ? -1 : 1))
  const before = sorted(was)
  return sorted(is).flatMap(({ kind, path, properties: actual }, index) => {
    const { properties: expected } = before[index]!
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
      .filter((property) => expected[property] !== actual[property])
      .map((property) => ({
        kind,
        path,
        property,
        expected: plain(expected[property]),
        actual: plain(actual[property])
      }))
  })
}

/** Removes the quotes of a JSON string. */
const plain = (json: string | undefined) => (json === undefined ? 'none' : json.replaceAll(/^"|"$/g, ''))

export function isSame({ extra, missing, changed }: Difference): boolean {
  return extra.length === 0 && missing.length === 0 && changed.length === 0
}
