import type { Document } from 'yaml'
import { LearnError } from './problem.js'

/** A document, and what was odd about its text. */
interface ReadDocument {
  readonly document: unknown
  /** Keys that are in an object more than once, with their lines. */
  readonly duplicates: readonly string[]
}

/**
 * Reads JSON or YAML.
 * @throws {LearnError} if it is neither
 */
export async function readDocument(text: string): Promise<ReadDocument> {
  try {
    // JSON is valid YAML, too, but takes ten times as long to read as such.
    return { document: JSON.parse(text) as unknown, duplicates: [] }
  } catch (error) {
    if (error instanceof RangeError) throw new LearnError('is nested too deeply', { cause: error })
  }
  if (isDeep(text)) throw new LearnError('is nested too deeply')
  const { isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const lines = new LineCounter()
  const duplicates: string[] = []
  try {
    // Its own search for duplicates compares each key with all others.
    const parsed = parseDocument(text, { lineCounter: lines, logLevel: 'error', uniqueKeys: false }) as Document
    const [error] = parsed.errors
    if (error !== undefined) throw error
    visit(parsed, {
      Map: (_, { items }) => {
        const seen = new Set<unknown>()
        for (const { key } of items) {
          if (!isScalar(key)) continue
          if (seen.has(key.value)) duplicates.push(`${String(key.value)} (line ${lines.linePos(key.range![0]).line})`)
          seen.add(key.value)
        }
      }
    })
    // An alias is the same object, however often it occurs, so that any number of them takes no room.
    return { document: parsed.toJS({ maxAliasCount: -1 }) as unknown, duplicates }
  } catch (error) {
    if (error instanceof RangeError) throw new LearnError('is nested too deeply', { cause: error })
    const [reason] = (error as Error).message.split('\n')
    throw new LearnError(`is neither JSON nor YAML: ${reason!.replace(/:$/, '')}`, { cause: error })
  }
}

/** Deeper YAML would end the process. */
const DEEPEST = 1000

/** Whether a text may be nested too deeply, in braces or by indentation. */
function isDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '[' || character === '{') depth++
    else if ((character === ']' || character === '}') && depth > 0) depth--
    if (depth > DEEPEST) return true
  }
  return new RegExp(`^[-?: \\t]{${DEEPEST},}`, 'm').test(text)
}
