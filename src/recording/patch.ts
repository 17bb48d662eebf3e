import { isObject, type Json } from '../lib/json.js'

/**
 * Turns one JSON value into another. The server makes patches and the console applies them.
 *
 * - `to` replaces the value.
 * - `fields` patches fields of an object.
 * - `items` patches items of a list, and then `splice` replaces `count` items.
 */
export type Patch = { readonly to: unknown } | { readonly fields: Readonly<Record<string, Patch>> } | ListPatch

interface ListPatch {
  readonly items: readonly (readonly [place: number, patch: Patch])[]
  readonly splice?: readonly [from: number, count: number, by: readonly unknown[]]
}

/** Makes a patch; undefined if the values are equal. */
export function patchOf(before: unknown, after: unknown): Patch | undefined {
  if (before === after) return undefined
  if (Array.isArray(before) && Array.isArray(after)) return listPatch(before, after)
  if (isObject(before) && isObject(after)) return fieldsPatch(before, after)
  return { to: after }
}

function fieldsPatch(before: Json, after: Json): Patch | undefined {
  const names = Object.keys(after)
  const old = Object.keys(before)
  // Otherwise, the order of the fields would be lost.
  if (names.length !== old.length || names.some((name, index) => name !== old[index])) return { to: after }
  const fields = names.flatMap((name): [string, Patch][] => {
    const patch = patchOf(before[name], after[name])
    return patch === undefined ? [] : [[name, patch]]
  })
  return fields.length === 0 ? undefined : { fields: Object.fromEntries(fields) }
}

function listPatch(before: readonly unknown[], after: readonly unknown[]): ListPatch | undefined {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && isSame(before[head], after[head])) head++
  let tail = 0
  while (tail < most - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const items: [number, Patch][] = []
  const compare = (place: number, other: number) => {
    const patch = patchOf(before[place], after[other])
    if (patch !== undefined) items.push([place, patch])
  }
  for (let place = 0; place < head; place++) compare(place, place)
  for (let place = before.length - tail; place < before.length; place++)
    compare(place, place - before.length + after.length)
  const count = before.length - tail - head
  const by = after.slice(head, after.length - tail)
  if (count > 0 || by.length > 0) return { items, splice: [head, count, by] }
  return items.length === 0 ? undefined : { items }
}

/** Whether two items have the same id or, without ids, are equal. */
function isSame(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other)) {
    const { id } = one
    if (typeof id === 'string') return id === other['id']
  }
  return patchOf(one, other) === undefined
}

/** Applies a patch to a copy, which shares unchanged parts with the original. */
export function patched(value: unknown, patch: Patch): unknown {
  if ('to' in patch) return patch.to
  if ('fields' in patch) {
    const fields = value as Json
    const changed = Object.entries(patch.fields).map(([name, one]) => [name, patched(fields[name], one)])
    return { ...fields, ...Object.fromEntries(changed) }
  }
  const list = [...(value as unknown[])]
  for (const [place, one] of patch.items) list[place] = patched(list[place], one)
  if (patch.splice !== undefined) {
    const [from, count, by] = patch.splice
    return [...list.slice(0, from), ...by, ...list.slice(from + count)]
  }
  return list
}
