/** What placeholders stand for, by the first word of their names. */
export type Scope = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g

/** What a path such as `workspaces.0.name` leads to; undefined: nothing. */
export function lookUp(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[step]
  }
  return found
}

/**
 * Fills the placeholders of a value. One that is the whole text keeps the type of what it stands for. `a|b` stands for
 * the first that there is.
 * @returns undefined if there is nothing that a placeholder stands for; a field with such a value is left out
 */
export function fill(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fillText(value, scope)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => fill(item, scope)).filter((item) => item !== undefined)
  const fields = Object.entries(value).map(([name, item]) => [name, fill(item, scope)] as const)
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined))
}

/** The names in the placeholders of a value, each with its alternatives. */
export function placeholdersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return Array.from(value.matchAll(PLACEHOLDER), ([, name]) => name!)
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((item) => placeholdersIn(item))
}

/** Those that stand for nothing. */
export function unfilled(value: unknown, scope: Scope): readonly string[] {
  return placeholdersIn(value).filter((name) => valueOf(name, scope) === undefined)
}

function fillText(text: string, scope: Scope): unknown {
  const whole = /^\{\{([^{}]+)\}\}$/.exec(text)
  if (whole !== null) return valueOf(whole[1]!, scope)
  if (unfilled(text, scope).length > 0) return undefined
  return text.replaceAll(PLACEHOLDER, (_, name: string) => String(valueOf(name, scope)))
}

function valueOf(name: string, scope: Scope): unknown {
  for (const alternative of name.split('|')) {
    const value = lookUp(scope, alternative.trim().split('.'))
    if (value !== undefined) return value
  }
  return undefined
}
