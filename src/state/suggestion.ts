import type { TSchema } from '@sinclair/typebox'
import { nearest } from '../lib/nearest.js'
import { StateSchema } from './schemas.js'

/** The parts of a schema that are looked at here. */
interface Part {
  readonly properties?: Readonly<Record<string, Part>>
  readonly items?: Part
  readonly anyOf?: readonly Part[]
  readonly enum?: readonly string[]
}

/**
 * The name or the value that was probably meant by an invalid field of a state document.
 * @param path steps from the document to the field
 * @returns undefined if nothing known is close
 */
export function suggestionFor(document: unknown, path: readonly string[]): string | undefined {
  let parts = alternatives(StateSchema as TSchema as Part)
  let value = document
  for (const [index, step] of path.entries()) {
    const names = parts.flatMap(({ properties = {} }) => Object.keys(properties))
    parts = parts.flatMap((part) => inside(part, step))
    if (parts.length === 0) return index === path.length - 1 ? nearest(step, names) : undefined
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return typeof value === 'string'
    ? nearest(
        value,
        parts.flatMap((part) => part.enum ?? [])
      )
    : undefined
}

/** The schemas of a field or an item. */
function inside({ properties = {}, items }: Part, step: string): Part[] {
  const found = Object.hasOwn(properties, step) ? properties[step] : /^\d+$/.test(step) ? items : undefined
  return found === undefined ? [] : alternatives(found)
}

function alternatives(part: Part): Part[] {
  return part.anyOf === undefined ? [part] : part.anyOf.flatMap(alternatives)
}
