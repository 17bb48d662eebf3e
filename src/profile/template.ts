import { didYouMean, nearest } from '../lib/nearest.js'
import type { Complain } from './form.js'

/** The values of placeholders. Only those that a placeholder names are read. */
export type Values = Readonly<Record<string, unknown>>

/** Fills the placeholders in a value, such as `{{path.workspaceID}}`. */
export type Template = (values: Values) => unknown

/** The placeholders that a template may have. */
export interface Known {
  /** Those without a dot, such as `org_id`. */
  readonly words: readonly string[]
  /** The fields of each source, such as `body`, or `any`. */
  readonly sources: Readonly<Record<string, readonly string[] | 'any'>>
}

/** The placeholders for the reply to a request. @param parameters the parameters of its path */
export function knownOfRequest(parameters: readonly string[], method: string): Known {
  const sources = { path: parameters, query: 'any' } as const
  return {
    words: ['org_id', 'org_name', 'request_id', 'now'],
    sources: method === 'GET' ? sources : { ...sources, body: 'any' }
  }
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Recursion into deeper values could overflow the stack. */
const DEEPEST = 100

/**
 * Compiles a JSON value with placeholders in its texts. A placeholder that is the whole text keeps the type of its
 * value, and is null without one; others become a part of the text.
 */
export function compileTemplate(value: unknown, field: string, known: Known, complain: Complain): Template {
  return compile(value, field, 0)

  function compile(part: unknown, path: string, depth: number): Template {
    if (typeof part === 'string') return compileText(part, path, known, complain)
    if (typeof part !== 'object' || part === null) return () => part
    if (depth === DEEPEST) {
      complain(field, `must have at most ${DEEPEST} levels`)
      return () => null
    }
    if (Array.isArray(part)) {
      const items = part.map((item, index) => compile(item, `${path}.${index}`, depth + 1))
      return (values) => items.map((item) => item(values))
    }
    const fields = Object.entries(part).map(([name, item]) => {
      if (name.search(PLACEHOLDER) >= 0)
        complain(`${path}.${name}`, 'has a placeholder in its name; only values have them')
      return [name, compile(item, `${path}.${name}`, depth + 1)] as const
    })
    return (values) => Object.fromEntries(fields.map(([name, item]) => [name, item(values)]))
  }
}

function compileText(text: string, field: string, known: Known, complain: Complain): Template {
  const parts = partsOf(text, field, known, complain)
  if (parts.length === 1) return () => text
  if (parts.length === 3 && parts[0] === '' && parts[2] === '')
    return (values) => lookUp(values, parts[1] as string[]) ?? null
  return joiner(parts, toText)
}

/** Compiles a text that stays a text even if it is a single placeholder. @param encode encodes the values */
export function compilePlainText(
  text: string,
  field: string,
  known: Known,
  complain: Complain,
  encode = (value: string) => value
): (values: Values) => string {
  return joiner(partsOf(text, field, known, complain), (value) => encode(toText(value)))
}

/** Splits a text into plain parts and, between them, the steps of placeholders. */
function partsOf(text: string, field: string, known: Known, complain: Complain): (string | string[])[] {
  return text.split(PLACEHOLDER).map((part, index) => {
    // Every second part was between braces.
    if (index % 2 === 0) return part
    const steps = part.trim().split('.')
    const problem = problemOf(steps, known)
    if (problem !== undefined) complain(field, problem)
    return steps
  })
}

const joiner = (parts: readonly (string | string[])[], show: (value: unknown) => string) => (values: Values) =>
  parts.map((part) => (typeof part === 'string' ? part : show(lookUp(values, part) ?? ''))).join('')

function problemOf(steps: readonly string[], { words, sources }: Known): string | undefined {
  const name = steps.join('.')
  const [source, ...below] = steps as [string, ...string[]]
  const isAny = Object.hasOwn(sources, source) && sources[source] === 'any'
  const all = Object.entries(sources).reduce(
    (known, [of, fields]) => [...known, ...(fields === 'any' ? ['…'] : fields).map((field) => `${of}.${field}`)],
    words
  )
  if (isAny ? below.length > 0 && !below.includes('') : all.includes(name)) return undefined
  return `has the unknown placeholder {{${name}}}${didYouMean(nearest(name, all)) || `; there are ${all.join(', ')}`}`
}

function lookUp(values: Values, steps: readonly string[]): unknown {
  let value: unknown = values
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Values)[step]
  }
  return value
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
