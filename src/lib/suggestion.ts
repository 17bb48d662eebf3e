import type { TSchema } from '@sinclair/typebox'
import { nearest } from './nearest.js'

interface Part {
  readonly properties?: Readonly<Record<string, Part>>
  readonly items?: Part
  readonly anyOf?: readonly Part[]
}

/** The name probably meant by the last step to a field; undefined if no known name is close, or it is one itself. */
export function suggestionFor(schema: TSchema, path: readonly string[]): string | undefined {
  const parts = path.slice(0, -1).reduce(inside, alternatives(schema as Part))
  const names = parts.flatMap(({ properties = {} }) => Object.keys(properties))
  return nearest(path.at(-1)!, names)
}

/** The schemas of a field or an item. */
function inside(parts: readonly Part[], step: string): Part[] {
  return parts.flatMap(({ properties = {}, items }) => {
    const found = Object.hasOwn(properties, step) ? properties[step] : items
    return found === undefined ? [] : alternatives(found)
  })
}

function alternatives(part: Part): Part[] {
  return part.anyOf === undefined ? [part] : part.anyOf.flatMap(alternatives)
}
