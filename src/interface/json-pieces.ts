import type { Slices } from '../lib/scheduler.js'
import { invalidBody } from './errors.js'

/**
 * A step of assembling a large value from pieces of its text, by byte offset:
 * - `open`: a container starts; the text runs from after the last comma to its bracket
 * - `run`: whole members of the open container, with the commas between them
 * - `blank`: only white space is allowed
 * - `close`: the container ends
 */
interface Step {
  readonly kind: 'open' | 'run' | 'blank' | 'close'
  readonly start: number
  readonly end: number
  readonly isArray: boolean
}

/** The result of scanning a JSON text before it is parsed. */
interface Plan {
  /** Approximate memory for the parsed value, in bytes, including its text. */
  readonly cost: number
  /** Nesting depth; only a lower bound if it exceeds the limit. */
  readonly depth: number
  /** Number of colons outside strings, and so of the fields of all objects. */
  readonly colons: number
  /** The steps to assemble it; empty if it is short enough to parse as a whole. */
  readonly steps: readonly Step[]
  /** Whether it is certainly not JSON. */
  readonly isBroken: boolean
}

/** Parses a piece. @param locate turns a path in the piece into a path in the whole */
export type ParsePiece = (text: string, locate: (field: string) => string) => unknown

/** Longer texts are parsed in pieces of about this many bytes, because the native parser cannot be interrupted. */
const PIECE = 32 * 1024
/** Bytes scanned, and items written, before yielding. */
const STRETCH = 64 * 1024
const ITEMS = 100

/** Memory that a parsed value takes in addition to its text, in bytes: per object or array, item or field, and step. */
const CONTAINER_COST = 64
const ITEM_COST = 32
const STEP_COST = 64

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** An open container of the text being scanned. */
interface Level {
  isArray: boolean
  /** Offset of its bracket. */
  at: number
  /** Offset of the first byte that is not yet in a step. */
  from: number
  /** Offset of its last comma. */
  comma: number
  /** Whether a child with its own steps has just ended, so that only a comma may follow. */
  isAfterChild: boolean
}

/**
 * Scans a JSON text without parsing it, and plans how to parse it in pieces. Every byte belongs to exactly one step,
 * and each step is checked when it runs, so a text can be assembled if, and only if, it is JSON.
 * @param maxDepth the scan stops when it gets deeper
 */
export function* planJson(bytes: Buffer, maxDepth: number, piece = PIECE): Slices<Plan> {
  const steps: Step[] = []
  /** The open containers, then objects of closed ones for reuse: there are too many containers to allocate each. */
  const levels: Level[] = []
  let depth = 0
  let deepest = 0
  /** Number of open containers with their own steps; these are the outermost. */
  let split = 0
  /** Offset at which the last step ends. */
  let done = 0
  let cost = 2 * bytes.length
  let colons = 0
  let isInString = false
  let isBroken = false as boolean

  for (let i = 0, next = STRETCH; i < bytes.length && !isBroken && deepest <= maxDepth; i++) {
    if (i >= next) {
      next = i + STRETCH
      yield
    }
    const byte = bytes[i]
    if (isInString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (byte === COLON) colons++
    else if (byte === COMMA) onComma(i)
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) onOpen(i, byte === OPEN_ARRAY)
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) onClose(i, byte === CLOSE_ARRAY)
  }
  if (steps.length > 0) {
    if (split > 0) isBroken = true
    add('blank', done, bytes.length)
  }
  return { cost: cost + ITEM_COST * colons + STEP_COST * steps.length, depth: deepest, colons, steps, isBroken }

  function add(kind: Step['kind'], start: number, end: number, isArray = false): void {
    steps.push({ kind, start, end, isArray })
    done = end
  }

  function onOpen(at: number, isArray: boolean): void {
    isBroken = depth > 0 && levels[depth - 1]!.isAfterChild
    cost += CONTAINER_COST
    const level = (levels[depth++] ??= { isArray, at, from: 0, comma: 0, isAfterChild: false })
    level.isArray = isArray
    level.at = at
    level.from = at + 1
    level.comma = -1
    level.isAfterChild = false
    deepest = Math.max(deepest, depth)
  }

  function onComma(at: number): void {
    cost += ITEM_COST
    if (depth === 0) return
    const level = levels[depth - 1]!
    if (level.isAfterChild) {
      add('blank', level.from, at)
      level.isAfterChild = false
      level.from = at + 1
    } else if (at - done > piece) {
      splitAll()
      add('run', level.from, at)
      level.from = at + 1
    }
    level.comma = at
  }

  /** Gives all open containers their own steps. */
  function splitAll(): void {
    for (; split < depth; split++) {
      const { isArray, at } = levels[split]!
      const parent = split === 0 ? undefined : levels[split - 1]!
      let from = parent?.from ?? 0
      if (parent !== undefined && parent.comma >= from) {
        add('run', from, parent.comma)
        from = parent.comma + 1
      }
      add('open', from, at, isArray)
    }
  }

  function onClose(at: number, isArray: boolean): void {
    isBroken = depth === 0 || levels[--depth]!.isArray !== isArray
    if (isBroken || split <= depth) return
    const { isAfterChild, from } = levels[depth]!
    add(isAfterChild ? 'blank' : 'run', from, at)
    add('close', at, at + 1)
    split--
    if (depth === 0) return
    const parent = levels[depth - 1]!
    parent.isAfterChild = true
    parent.from = at + 1
  }
}

/** A container being assembled. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>
  readonly path: string
  readonly name: string
}

/** The reason for refusing `__proto__`, and `prototype` inside `constructor`. */
export const FORBIDDEN_NAME = 'is not allowed as the name of a field'

/** The whole is not JSON, although each piece may be. */
export class BrokenJson extends Error {}

/** Parses a JSON text by its plan. @throws {BrokenJson} if the pieces do not make up a JSON text */
export function* assembleJson(bytes: Buffer, steps: readonly Step[], parse: ParsePiece): Slices<unknown> {
  const open: Container[] = []
  let whole: unknown
  for (const { kind, start, end, isArray } of steps) {
    const text = bytes.toString('utf8', start, end)
    if (kind === 'close') open.pop()
    else if (kind === 'open') {
      const container = begin(text, open.at(-1), isArray, parse)
      whole ??= container.value
      open.push(container)
    } else if (isBlank(text) !== (kind === 'blank')) throw new BrokenJson()
    else if (kind === 'run') addRun(text, open.at(-1)!, parse)
    yield
  }
  return whole
}

/** Like `JSON.stringify()` for JSON data. @param depth number of levels on which it yields */
export function* jsonInSlices(value: unknown, depth: number): Slices<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts: string[] = []
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (index % ITEMS === 0) yield
      parts.push(yield* jsonInSlices(item, depth - 1))
    }
    return `[${parts.join(',')}]`
  }
  for (const [name, item] of Object.entries(value))
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${yield* jsonInSlices(item, depth - 1)}`)
  return `{${parts.join(',')}}`
}

/** Parses a text that is known to be JSON. */
export function* parseJson(text: string): Slices<unknown> {
  const parse = (piece: string) => JSON.parse(piece) as unknown
  if (text.length <= PIECE) return parse(text)
  const bytes = Buffer.from(text)
  const { steps } = yield* planJson(bytes, Infinity)
  return steps.length === 0 ? parse(text) : yield* assembleJson(bytes, steps, parse)
}

function begin(text: string, parent: Container | undefined, isArray: boolean, parse: ParsePiece): Container {
  const value = isArray ? [] : {}
  if (parent === undefined) {
    if (!isBlank(text.replace(/^\ufeff/, ''))) throw new BrokenJson()
    return { value, path: '', name: '' }
  }
  // Parse with a placeholder in place of the container, to check the text before it.
  const [name] = Object.keys(parseIn(parent, `${text}[]`, parse)) as [string]
  const key = Array.isArray(parent.value) ? String(parent.value.length) : name
  add(parent, key, value)
  return { value, path: pathIn(parent, key), name: key }
}

function addRun(text: string, container: Container, parse: ParsePiece): void {
  const members = parseIn(container, text, parse)
  if (Array.isArray(members)) for (const item of members) (container.value as unknown[]).push(item)
  else for (const key of Object.keys(members)) add(container, key, members[key])
}

function add({ value, name, path }: Container, key: string, item: unknown): void {
  if (Array.isArray(value)) value.push(item)
  else if (name === 'constructor' && key === 'prototype') throw invalidBody([{ field: path, reason: FORBIDDEN_NAME }])
  else value[key] = item
}

function parseIn(container: Container, text: string, parse: ParsePiece): unknown[] | Record<string, unknown> {
  const { value } = container
  const length = Array.isArray(value) ? value.length : undefined
  const locate = (field: string) => {
    const [first = '', ...rest] = field.split('.')
    return pathIn(container, [length === undefined ? first : String(length + Number(first)), ...rest].join('.'))
  }
  return parse(length === undefined ? `{${text}}` : `[${text}]`, locate) as unknown[] | Record<string, unknown>
}

const isBlank = (text: string) => /^[\t\n\r ]*$/.test(text)

const pathIn = ({ path }: Container, field: string) => (path === '' ? field : `${path}.${field}`)
