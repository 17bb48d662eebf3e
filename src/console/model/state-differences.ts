import type { PreparedState } from '../../documents/schemas.js'
import { differencesOf } from '../../recording/difference.js'
import { groupBy } from './group-by.js'

/** How one thing of a sandbox differs between two moments. */
export interface ThingDifference {
  readonly kind: 'workgroup' | 'database' | 'workspace' | 'sandbox'
  /** Id of the resource; of the sandbox, the name of the part. */
  readonly id: string
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** The values that differ; of what was added or removed, all of them. */
  readonly values: readonly ValueDifference[]
}

interface ValueDifference {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The differences between two state documents, a resource after the other, and then the rest of the sandbox. */
export function differencesBetween(before: PreparedState, after: PreparedState): ThingDifference[] {
  const [old, young] = [thingsOf(before), thingsOf(after)]
  return [...new Map([...old, ...young]).entries()].flatMap(([key, { kind, id, name }]): ThingDifference[] => {
    const [from, to] = [old.get(key)?.value, young.get(key)?.value]
    const values =
      kind === 'sandbox' && Array.isArray(to ?? from) ? listDifferences(from, to) : valueDifferences(from, to)
    if (values.length === 0) return []
    const change =
      kind === 'sandbox' ? 'changed' : from === undefined ? 'added' : to === undefined ? 'removed' : 'changed'
    return [{ kind, id, name, change, values }]
  })
}

interface Thing extends Pick<ThingDifference, 'kind' | 'id' | 'name'> {
  readonly value: unknown
}

type Part = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string }

function thingsOf({ workgroups = [], format: _format, ...rest }: PreparedState): Map<string, Thing> {
  const things = new Map<string, Thing>()
  const add = (kind: Thing['kind'], { id, name }: Pick<Part, 'id' | 'name'>, value: unknown) =>
    things.set(`${kind} ${id}`, { kind, id, name, value })
  for (const { databases, workspaces, ...group } of workgroups as readonly (Part & Contents)[]) {
    add('workgroup', group, group)
    for (const database of databases) add('database', database, database)
    for (const workspace of workspaces) add('workspace', workspace, workspace)
  }
  for (const [name, value] of Object.entries(rest)) add('sandbox', { id: name, name: name.replaceAll('_', ' ') }, value)
  return things
}

interface Contents {
  readonly databases: readonly Part[]
  readonly workspaces: readonly Part[]
}

function valueDifferences(before: unknown, after: unknown): ValueDifference[] {
  if (before !== undefined && after !== undefined) return differencesOf(before, after)
  const value = before ?? after
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const fields: readonly (readonly [string, unknown])[] = isObject ? Object.entries(value) : [['', value]]
  return fields.map(([path, one]) => ({ path, ...(before === undefined ? { after: one } : { before: one }) }))
}

/** The items that are in one list only: what is scheduled and the timeline have no ids. */
function listDifferences(before: unknown = [], after: unknown = []): ValueDifference[] {
  const [old, young] = [before as readonly unknown[], after as readonly unknown[]]
  return [
    ...lacking(old, young).map((item) => ({ path: '', before: item })),
    ...lacking(young, old).map((item) => ({ path: '', after: item }))
  ]
}

/** The items that another list lacks. */
function lacking(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = groupBy(others, (other) => JSON.stringify(other))
  return items.filter((item) => left.get(JSON.stringify(item))?.pop() === undefined)
}
