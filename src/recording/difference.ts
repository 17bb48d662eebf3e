/** A value of a document that differs from another document; absent on the side that does not have it. */
export interface Difference {
  /** Such as `workgroups[<id>].workspaces[<id>].status`: an item of a list by its id, if all have one. */
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
}

/** The differences between two JSON documents, in the order of their fields. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = []
  compare('', before, after, found)
  return found
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (before === after) return
  const [old, young] = [fieldsOf(before, after), fieldsOf(after, before)]
  if (old === undefined || young === undefined) {
    found.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after })
    })
    return
  }
  for (const name of new Set([...old.keys(), ...young.keys()]))
    compare(
      Array.isArray(before) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
      old.get(name),
      young.get(name),
      found
    )
}

/** The parts of a value by their names; undefined if it has none, or the other value is of another kind. */
function fieldsOf(value: unknown, other: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) {
    if (!Array.isArray(other)) return undefined
    const items = value as unknown[]
    const ids = [...items, ...(other as unknown[])].every(hasId)
    return new Map(items.map((item, index) => [ids ? (item as Identified).id : `${index}`, item]))
  }
  const isOther = typeof other !== 'object' || other === null || Array.isArray(other)
  return typeof value !== 'object' || value === null || isOther ? undefined : new Map(Object.entries(value))
}

interface Identified {
  readonly id: string
}

function hasId(item: unknown): item is Identified {
  return typeof item === 'object' && item !== null && typeof (item as Partial<Identified>).id === 'string'
}
