/** A JSON object with unknown fields. */
export type Json = Readonly<Record<string, unknown>>

/** A value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value has a type of JSON Schema. */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A field of an object; undefined if the object itself does not have it. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The value at the end of a path through objects and lists; undefined if there is none. */
export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Json)[step] : undefined),
    value
  )

/** The steps along a path, in which names may have dots: those that exist, and at most so many. */
export function stepsTo(value: unknown, path: string, most: number): string[] {
  if (typeof value !== 'object' || value === null || most === 0) return []
  const names = Object.keys(value).filter((name) => `${path}.`.startsWith(`${name}.`))
  const [name] = names.sort((a, b) => b.length - a.length)
  return name === undefined ? [] : [name, ...stepsTo((value as Json)[name], path.slice(name.length + 1), most - 1)]
}

/** Replaces all texts in a value, at any depth. A promise or another special object stays as it is. */
export function inTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map((item) => inTexts(item, replace))
  if (Object.prototype.toString.call(value) !== '[object Object]') return value
  return Object.fromEntries(Object.entries(value as Json).map(([name, item]) => [name, inTexts(item, replace)]))
}

/** Unescapes a step of a JSON pointer (RFC 6901). */
export const pointerStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

type WithoutNulls<T> = { readonly [Name in keyof T as null extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as null extends T[Name] ? Name : never]?: NonNullable<T[Name]>
}

/** An object without the fields that are null. */
export const withoutNulls = <T extends object>(value: T): WithoutNulls<T> =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null)) as WithoutNulls<T>
