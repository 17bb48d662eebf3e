import { readFile } from 'node:fs/promises'
import type * as Yaml from 'yaml'
import { fileProblem } from '../lib/file-problem.js'
import { finish } from '../lib/slices.js'
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
  /**
   * Where a field is, such as `line 3, column 5`.
   * @param path steps from the document to the field. If it is absent, what should contain it counts.
   */
  readonly placeOf: (path: readonly string[]) => string
}

/** What people write by hand is smaller, and YAML takes a second for each MiB. In bytes. */
export const MOST_BY_HAND = 1024 * 1024

/**
 * Reads a JSON or YAML file.
 * @param most its maximum size, in bytes
 * @throws {DocumentError} if it cannot be read, is neither, or is larger
 */
export async function readDocumentFile(path: string, most = Infinity): Promise<DocumentFile> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new DocumentError(fileProblem(error, 'read'), { cause: error })
  })
  return parseDocument(text, most)
}

/**
 * Parses JSON or YAML.
 * @param most its maximum size, in bytes
 * @throws {DocumentError} if it is neither, nothing, or larger
 */
export async function parseDocument(text: string, most = Infinity): Promise<DocumentFile> {
  if (Buffer.byteLength(text) > most) throw new DocumentError(`has more than ${most} bytes`)
  // JSON is valid YAML, too. The library is only loaded when a document is read.
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const problem = (what: string, cause?: unknown) => new DocumentError(what, { cause })
  // The parser is recursive, and a text in flow style can be deeper than any stack.
  if (finish(planJson(Buffer.from(text), DEEPEST)).depth > DEEPEST) throw problem(TOO_DEEP)
  const parsed = yaml.parseDocument(text, { lineCounter: lines, logLevel: 'error', uniqueKeys: false })
  const [error] = parsed.errors
  if (error?.code === 'MULTIPLE_DOCS') {
    const { line } = lines.linePos(error.pos[0])
    throw problem(`has more than one document; a second one begins at line ${line}`, error)
  }
  const notUnique = ({ line, col }: { line: number; col: number }) =>
    problem(`is neither JSON nor YAML: Map keys must be unique at line ${line}, column ${col}`)
  let document: unknown
  try {
    if (error !== undefined) throw error
    document = parsed.toJS()
  } catch (error) {
    if (/^Maximum call stack size exceeded/.test((error as Error).message)) throw problem(TOO_DEEP, error)
    const [reason] = (error as Error).message.split('\n')
    throw problem(`is neither JSON nor YAML: ${reason!.replace(/:$/, '')}`, error)
  }
  if (document === null) throw problem('is empty')
  yaml.visit(parsed, {
    // The library itself compares each key with all others.
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!yaml.isScalar(key)) continue
        if (keys.has(key.value)) throw notUnique(lines.linePos(key.range![0]))
        keys.add(key.value)
      }
    },
    Scalar: (_, { value, source, range }) => {
      if (typeof value !== 'number' || Number.isFinite(value)) return
      const { line, col } = lines.linePos(range![0])
      throw problem(`has a number that is out of range: ${source} at line ${line}, column ${col}`)
    }
  })
  return { document, placeOf: (steps) => placeOf(yaml, parsed, lines, steps) }
}

function placeOf(
  { isAlias, isMap, isNode, isScalar, isSeq }: typeof Yaml,
  document: Yaml.Document.Parsed,
  lines: Yaml.LineCounter,
  path: readonly string[]
): string {
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
  const { line, col } = lines.linePos(isNode(found) ? offsetOf(found) : 0)
  return `line ${line}, column ${col}`
}

const offsetOf = ({ range }: Yaml.Node) => range?.[0] ?? 0
