import { invalidBody } from './errors.js'
import type { Slices } from './slices.js'

/**
 * One step of assembling a large value out of pieces of its text, by their offsets in bytes:
 * - `open`: a container begins; the text is what stands between the last comma and its bracket
 * - `run`: whole members of the container that is open, with the commas between them
 * - `blank`: there may be nothing but white space
 * - `close`: the container ends
 */
interface Step {
  readonly kind: 'open' | 'run' | 'blank' | 'close'
  readonly start: number
  readonly end: number
  readonly isArray: boolean
}

/** What is known of a JSON text before it is parsed. */
export interface Plan {
  /** How many bytes it takes once it is parsed, about, with its text. */
  readonly cost: number
  /** How deep it is nested, at least if that is deeper than it may be. */
  readonly depth: number
  /** How it is assembled; none if it is short enough to be parsed as a whole. */
  readonly steps: readonly Step[]
  /** Whether it is certain that it is not JSON. */
  readonly isBroken: boolean
}

/** Parses a text. @param locate turns the path of a field in it into its path in the whole */
export type ParsePiece = (text: string, locate: (field: string) => string) => unknown

/** Longer texts are parsed in pieces of about this size, in bytes: the native parser cannot be interrupted. */
const PIECE = 32 * 1024
/** How much is looked through at a time, in bytes. */
const STRETCH = 64 * 1024

/** What a parsed value takes besides its text, in bytes: an object or an array, an item or a field, and a step. */
const CONTAINER_COST = 64
const ITEM_COST = 32
const STEP_COST = 64

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** A container that is open while a text is looked through. */
interface Level {
  isArray: boolean
  /** Where its bracket is. */
  at: number
  /** Where that begins which is not yet in a step. */
  from: number
  /** Where its last comma is. */
  comma: number
  /** Whether a container in it has just ended that had steps of its own, so that nothing but a comma may follow. */
  isAfterChild: boolean
}

/**
 * Looks a JSON text through, without parsing it, and plans how to parse it in pieces. Each byte is in exactly one step,
 * and each step is checked when it is done, so a text can be assembled if, and only if, it is JSON.
 * @param maxDepth nothing deeper is looked at
 */
export function* planJson(bytes: Buffer, maxDepth: number, piece = PIECE): Slices<Plan> {
  const steps: Step[] = []
  /**
   * The containers that are open, and behind them what is left of others: there are too many to make an object for
   * each.
   */
  const levels: Level[] = []
  let depth = 0
  let deepest = 0
  /** How many of the open containers have steps of their own; they are the outer ones. */
  let split = 0
  /** Where the last step ends. */
  let done = 0
  let cost = 2 * bytes.length
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
    else if (byte === COLON) cost += ITEM_COST
    else if (byte === COMMA) onComma(i)
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) onOpen(i, byte === OPEN_ARRAY)
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) onClose(i, byte === CLOSE_ARRAY)
  }
  if (steps.length > 0) {
    if (split > 0) isBroken = true
    add('blank', done, bytes.length)
  }
  return { cost: cost + STEP_COST * steps.length, depth: deepest, steps, isBroken }

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

  /** Gives all open containers steps of their own. */
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

/** A container that is being assembled. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>
  /** Its path in the whole. */
  readonly path: string
  /** Its key or its index. */
  readonly name: string
}

/** What is said of `__proto__`, and of a `prototype` in a `constructor`. */
export const FORBIDDEN_NAME = 'is not allowed as the name of a field'

/** Not JSON, although each piece may be. */
export class BrokenJson extends Error {}

/**
 * Parses a JSON text by its plan.
 * @param parse parses a piece, and throws what is wrong with it
 * @throws {BrokenJson} if the pieces are not those of a JSON text
 */
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

/** Parses a text that is known to be JSON. */
export function* parseJson(text: string): Slices<unknown> {
  const parse = (piece: string) => JSON.parse(piece) as unknown
  if (text.length <= PIECE) return parse(text)
  const bytes = Buffer.from(text)
  const { steps } = yield* planJson(bytes, Infinity)
  return steps.length === 0 ? parse(text) : yield* assembleJson(bytes, steps, parse)
}

/** Begins a container, in the one around it. */
function begin(text: string, parent: Container | undefined, isArray: boolean, parse: ParsePiece): Container {
  const value = isArray ? [] : {}
  if (parent === undefined) {
    if (!isBlank(text.replace(/^\ufeff/, ''))) throw new BrokenJson()
    return { value, path: '', name: '' }
  }
  // Something stands for it, so that all before it is checked.
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

/** Parses members of a container. */
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
