import { invalidBody } from '../lib/errors.js'
import { parseJson } from '../lib/json-pieces.js'
import type { Slices } from '../lib/slices.js'
import { FORMAT, type PreparedState } from './schemas.js'

type Json = Record<string, unknown>

/** Upgrades a document of each older format, by number, to the next one. */
const STEPS: Readonly<Record<number, (document: Json) => Json>> = {}

/**
 * Upgrades a document to the newest format. One without a format, written by hand, is taken for the newest.
 * @throws {ServiceError} `invalidBody` if this server does not know the format
 */
export function upgrade(document: unknown, newest: number = FORMAT, steps = STEPS): unknown {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, 'format')) return document
  let current = document as Json
  const format = current['format']
  const isKnown = typeof format === 'number' && (format === newest || Object.hasOwn(steps, format))
  if (!isKnown) {
    const known = [...Object.keys(steps), newest].join(', ')
    const remedy =
      typeof format === 'number' && format > newest ? '; it was written by a newer server, use that one' : ''
    throw invalidBody([
      { field: 'format', reason: `must be one of ${known}, but is ${JSON.stringify(format)}${remedy}` }
    ])
  }
  for (let at = format; at < newest; at++) current = { ...steps[at]!(current), format: at + 1 }
  return current
}

/** Reads a stored JSON document that this server, or an older one, has checked. */
export function* parseStored(text: string): Slices<PreparedState> {
  return upgrade(yield* parseJson(text)) as PreparedState
}
