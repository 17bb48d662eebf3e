import { readFile } from 'node:fs/promises'
import type * as Yaml from 'yaml'
import { fileProblem } from '../lib/file-problem.js'
import { finish } from '../lib/scheduler.js'
import { textIn } from '../lib/text-in.js'
import { planJson } from './json-pieces.js'

/** A file cannot be read as a document. The message completes the sentence that starts with the file name. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

const TOO_DEEP = 'is nested too deeply'
/** Levels of lists and objects in a document; none needs as many. */
const DEEPEST = 500

/** A document read from a file. */
export interface DocumentFile {
  readonly document: unknown
  /** Finds a field, or its parent if it is absent: `line 3, column 5`. Undefined if the text is too long to search. */
  readonly placeOf: (path: readonly string[]) => string | undefined
}

interface Reading {
  /** Maximum size, in bytes. */
  readonly most?: number | undefined
  /** Called when an object has a name a second time. If absent, that is an error. */
  readonly onDuplicate?: (name: string, line: number) => void
  /** Maximum number of values that YAML aliases may stand for; -1: any number, for readers that visit each once. */
  readonly maxAliasCount?: number
}

/** Maximum size of a document written by hand, and of any other, in bytes. */
export const MOST_BY_HAND = 1024 * 1024
const MOST = 64 * 1024 * 1024
/** Maximum number of YAML tokens: that many take two seconds. */
const MOST_TOKENS = 500_000
/** Maximum number of YAML aliases: for each one, the library searches the whole document. */
const MOST_ALIASES = 1000

/** Reads a JSON or YAML file. @throws {DocumentError} if it cannot be read, is neither, or is too large */
export async function readDocumentFile(path: string, reading?: Reading): Promise<DocumentFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new DocumentError(fileProblem(error, 'read'), { cause: error })
  })
  return parseDocument(textIn(bytes), reading)
}

/** Parses JSON or YAML. @throws {DocumentError} if it is neither, empty, or too large */
export async function parseDocument(text: string, reading: Reading = {}): Promise<DocumentFile> {
  const { most = MOST, onDuplicate } = reading
  if (Buffer.byteLength(text) > most) throw new DocumentError(`has more than ${most} bytes`)
  // Both parsers are recursive.
  const { depth, colons } = finish(planJson(Buffer.from(text), DEEPEST))
  if (depth > DEEPEST) throw new DocumentError(TOO_DEEP)
  const json = readJson(text, colons)
  const yaml = await import('yaml')
  const isPlaced = text.length <= MOST_BY_HAND
  if (json !== undefined && (json.isExact || !isPlaced)) {
    if (!json.isExact && onDuplicate === undefined)
      throw new DocumentError('has a name twice in an object, or a number that is out of range')
    // Only the YAML parser knows places. It takes longer, so it runs only if there is an error.
    let places: DocumentFile['placeOf'] | undefined
    return {
      document: json.value,
      placeOf: (steps) => (isPlaced ? (places ??= placesIn(yaml, text))(steps) : undefined)
    }
  }
  return readYaml(yaml, text, reading)
}

/** @returns undefined if the text is not JSON. `isExact`: no name came twice, and no number is out of range */
function readJson(text: string, colons: number): { readonly value: unknown; readonly isExact: boolean } | undefined {
  if (!LIKE_JSON.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { value, isExact: membersIn(value) === colons }
  } catch {
    return undefined
  }
}

/** Number of members of all objects; NaN if a number is out of range. */
function membersIn(value: unknown): number {
  let count = 0
  for (const left = [value]; left.length > 0;) {
    const next = left.pop()
    if (typeof next === 'number' && !Number.isFinite(next)) return NaN
    if (typeof next !== 'object' || next === null) continue
    const items: unknown[] = Object.values(next)
    if (!Array.isArray(next)) count += items.length
    for (const item of items) left.push(item)
  }
  return count
}

const LIKE_JSON = /^\s*[[{]/

/** Finds fields in JSON, unless it is too long for the YAML parser. */
function placesIn(yaml: typeof Yaml, json: string): DocumentFile['placeOf'] {
  return excessOf(yaml, json) === undefined ? readYaml(yaml, json).placeOf : () => undefined
}

function readYaml(yaml: typeof Yaml, text: string, { onDuplicate, maxAliasCount }: Reading = {}): DocumentFile {
  const problem = (what: string, cause?: unknown) => new DocumentError(what, { cause })
  const excess = excessOf(yaml, text)
  if (excess !== undefined) throw problem(jsonProblem(text) ?? excess)
  const lines = new yaml.LineCounter()
  // With prettyErrors, each error takes as long as the whole text, and version 1.1 merges objects.
  const parsed = yaml.parseDocument(text, {
    lineCounter: lines,
    logLevel: 'error',
    uniqueKeys: false,
    prettyErrors: false,
    schema: 'core'
  })
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const [error] = parsed.errors
  if (error?.code === 'MULTIPLE_DOCS') {
    const { line } = lines.linePos(error.pos[0])
    throw problem(`has more than one document; a second one begins at line ${line}`, error)
  }
  if (error !== undefined) {
    if (/^Maximum call stack size exceeded/.test(error.message)) throw problem(TOO_DEEP, error)
    throw problem(`is neither JSON nor YAML: ${error.message} at ${placeAt(error.pos[0])}`, error)
  }
  yaml.visit(parsed, {
    // The library itself compares each key with all others.
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        // A key that is an object would become a text, with the texts of its own keys inside.
        if (!yaml.isScalar(key)) throw problem(`has a key that is not a text at ${placeAt(offsetOf(key))}`)
        // YAML 1.2 has no such keys, so what they stand for would be missing.
        if (key.value === '<<' && key.type === 'PLAIN')
          throw problem(`has a merge key (<<) at ${placeAt(offsetOf(key))}; write out its fields, or write it as JSON`)
        if (keys.has(key.value)) {
          if (onDuplicate === undefined)
            throw problem(`is neither JSON nor YAML: Map keys must be unique at ${placeAt(offsetOf(key))}`)
          onDuplicate(String(key.value), lines.linePos(offsetOf(key)).line)
        }
        keys.add(key.value)
      }
    },
    Scalar: (_, { value, source, range }) => {
      if (typeof value !== 'number' || Number.isFinite(value)) return
      throw problem(`has a number that is out of range: ${source} at ${placeAt(range![0])}`)
    }
  })
  let document: unknown
  try {
    document = parsed.toJS(maxAliasCount === undefined ? {} : { maxAliasCount })
  } catch (cause) {
    throw problem(`is neither JSON nor YAML: ${(cause as Error).message}`, cause)
  }
  if (document === null) throw problem('is empty')
  return { document, placeOf: (steps) => placeAt(offsetIn(yaml, parsed, steps)) }
}

/** The error of a text that begins like JSON but is not. */
function jsonProblem(text: string): string | undefined {
  try {
    if (LIKE_JSON.test(text)) JSON.parse(text)
    return undefined
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`
  }
}

/** The reason why YAML would take too long to read, if it would. */
function excessOf({ Lexer, CST }: typeof Yaml, text: string): string | undefined {
  let [tokens, aliases] = [0, 0]
  let isText = false
  for (const token of new Lexer().lex(text)) {
    if (++tokens > MOST_TOKENS)
      return `has more than ${MOST_TOKENS} tokens of YAML, which would take too long; write it as JSON`
    // The text of a scalar follows a mark.
    const type = isText ? 'text' : CST.tokenType(token)
    isText = token === CST.SCALAR
    if (type === 'alias' && ++aliases > MOST_ALIASES) return `has more than ${MOST_ALIASES} aliases`
    if (type === 'explicit-key-ind') return 'has a key after a question mark; write it before a colon'
  }
  return undefined
}

/** The offset of the last field of a path that exists. */
function offsetIn(
  { isAlias, isMap, isScalar, isSeq }: typeof Yaml,
  document: Yaml.Document.Parsed,
  path: readonly string[]
): number {
  let node: unknown = document.contents
  let found: unknown = node
  for (const step of path) {
    const collection: unknown = isAlias(node) ? node.resolve(document) : node
    if (isMap(collection)) {
      const pair = collection.items.find(({ key }) => isScalar(key) && String(key.value) === step)
      if (pair === undefined) break
      found = pair.key
      node = pair.value
    } else if (isSeq(collection)) {
      const item: unknown = collection.items[Number(step)]
      if (item === undefined) break
      found = node = item
    }
  }
  return offsetOf(found)
}

const offsetOf = (node: unknown) => (node as Yaml.Node).range![0]
