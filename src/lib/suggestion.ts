import type { TSchema } from '@sinclair/typebox'
import { nearest } from './nearest.js'

/** The parts of a schema that are looked at here. */
interface Part {
  readonly properties?: Readonly<Record<string, Part>>
  readonly items?: Part
  readonly anyOf?: readonly Part[]
}

/**
 * The name or the value that was probably meant by an invalid field of a document.
 * @param path steps from the document to the field
 * @param reason why it is invalid; it lists the values that are not
 * @returns undefined if nothing known is close
 */
export function suggestionFor(
  schema: TSchema,
  document: unknown,
  path: readonly string[],
  reason: string
): string | undefined {
  let parts = alternatives(schema as Part)
  let value = document
  for (const [index, step] of path.entries()) {
    const names = parts.flatMap(({ properties = {} }) => Object.keys(properties))
    parts = parts.flatMap((part) => inside(part, step))
    if (parts.length === 0) return index === path.length - 1 ? nearest(step, names) : undefined
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  const known = /^must be one of (.+)$/.exec(reason)?.[1]
  return typeof value === 'string' && known !== undefined ? nearest(value, known.split(', ')) : undefined
}

/** The schemas of a field or an item. */
function inside({ properties = {}, items }: Part, step: string): Part[] {
  const found = Object.hasOwn(properties, step) ? properties[step] : /^\d+$/.test(step) ? items : undefined
  return found === undefined ? [] : alternatives(found)
}

function alternatives(part: Part): Part[] {
  return part.anyOf === undefined ? [part] : part.anyOf.flatMap(alternatives)
}
