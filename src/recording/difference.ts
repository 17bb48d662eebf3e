import { isObject, objectOf } from '../lib/json.js'

/** A difference between two documents. A value that does not exist is absent. */
export interface Difference {
  /** Such as `workgroups[<id>].workspaces[<id>].status`. Items have their ids if these differ, otherwise indexes. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Compares two JSON documents. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  return found
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (before === after) return
  if (Array.isArray(before) && Array.isArray(after)) {
    const haveIds = haveOwnIds(before) && haveOwnIds(after)
    const byName = (items: readonly unknown[]) =>
      new Map(items.map((item, index) => [haveIds ? (item as { id: string }).id : `${index}`, item]))
    compareParts(byName(before), byName(after), (name) => `${path}[${name}]`, found)
  } else if (isObject(before) && isObject(after)) {
    const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`)
    compareParts(new Map(Object.entries(before)), new Map(Object.entries(after)), pathOf, found)
  } else found.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
}

type Parts = ReadonlyMap<string, unknown>

function compareParts(before: Parts, after: Parts, pathOf: (name: string) => string, found: Difference[]): void {
  for (const name of new Set([...before.keys(), ...after.keys()]))
    compare(pathOf(name), before.get(name), after.get(name), found)
}

/** Whether each item has an id of its own, unlike items of several collections. */
function haveOwnIds(items: readonly unknown[]): boolean {
  const ids = items.map((item) => objectOf(item)['id'])
  return ids.every((id) => typeof id === 'string') && new Set(ids).size === items.length
}
