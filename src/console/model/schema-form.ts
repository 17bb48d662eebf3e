/** The part of JSON Schema that forms use; without references. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The contents of a form: a text for each control. */
export type Draft = string | DraftGroup
export interface DraftGroup {
  readonly [name: string]: Draft
}

/** The kind of control. `mixed`: a text, or an object as JSON. */
type Kind = 'choice' | 'flag' | 'number' | 'text' | 'mixed' | 'json' | 'group'

/** The schema of the values other than null. */
export function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return others.length === 1 ? others[0]! : schema
}

const isNullable = ({ anyOf = [] }: Schema): boolean => anyOf.some(({ type }) => type === 'null')

export function kindOf(schema: Schema): Kind {
  const { type, enum: values, properties, anyOf } = withoutNull(schema)
  if (values !== undefined) return 'choice'
  if (anyOf?.some((one) => one.type === 'string') === true) return 'mixed'
  if (type === 'boolean') return 'flag'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string') return 'text'
  return properties === undefined ? 'json' : 'group'
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ha: 'high availability',
  ro: 'read-only',
  rw: 'read-write',
  svc: '',
  ttl: 'lifetime'
}

/** A name in words: "Retry after" for `retry_after`, "At least" for `atLeast`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .split(/[_-]/)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The path of a member, as in the server's errors. */
export const pathTo = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

export function draftOf(value: unknown): Draft {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object' && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, draftOf(member)]))
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const textOf = (draft: Draft | undefined): string =>
  typeof draft === 'object' ? JSON.stringify(draft) : (draft ?? '')
export const groupOf = (draft: Draft | undefined): DraftGroup => (typeof draft === 'object' ? draft : {})

/** The fields of an object and their values, on one line. */
export function inWords(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? `${name} (${inWords(value)})` : `${name} ${String(value)}`
    )
    .join(', ')
}

interface Entered {
  /** Undefined if the form is empty. */
  readonly value: unknown
  /** Reasons by path, for texts that are not JSON. */
  readonly errors: Readonly<Record<string, string>>
}

/** The value of a draft. A cleared control is null where the schema allows it; other empty controls are left out. */
export function readDraft(schema: Schema, draft: Draft | undefined, path = ''): Entered {
  const errors: Record<string, string> = {}
  return { value: valueOf(schema, draft, path, errors), errors }
}

function valueOf(schema: Schema, draft: Draft | undefined, path: string, errors: Record<string, string>): unknown {
  const kind = kindOf(schema)
  const { properties = {}, enum: values = [] } = withoutNull(schema)
  if (kind === 'group') {
    const fields = Object.entries(properties)
      .map(([name, field]) => [name, valueOf(field, groupOf(draft)[name], pathTo(path, name), errors)] as const)
      .filter(([, value]) => value !== undefined)
    return fields.length === 0 ? undefined : Object.fromEntries(fields)
  }
  const text = textOf(draft).trim()
  if (text === '') return draft !== undefined && isNullable(schema) ? null : undefined
  // A field of a profile can have numbers to choose from.
  if (kind === 'choice') return values.find((value) => String(value) === text) ?? text
  if (kind === 'number') return Number(text)
  if (kind === 'flag') return text === 'true'
  if (kind !== 'json' && !(kind === 'mixed' && text.startsWith('{'))) return text
  try {
    return JSON.parse(text)
  } catch {
    errors[path] = 'must be JSON'
    return undefined
  }
}
