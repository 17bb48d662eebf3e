import { checkKnown, type Complain } from './form.js'

/** New names by old ones. */
export type Renames = Readonly<Record<string, string>>

export type Renaming = ReturnType<typeof renaming>

/**
 * Renames names one to one, all at once, and back. It exchanges an old name that is no longer used with the new name at
 * the end of its chain, so translating any name there and back loses nothing.
 * @param renames checked by {@link checkRenames}
 */
export function renaming(renames: Renames = {}) {
  const changed = Object.entries(renames).filter(([name, other]) => name !== other)
  const toWire = new Map(changed)
  const fromWire = new Map(changed.map(([name, other]) => [other, name]))
  for (const [first] of changed) {
    if (fromWire.has(first)) continue
    let last = first
    while (toWire.has(last)) last = toWire.get(last)!
    toWire.set(last, first)
    fromWire.set(first, last)
  }
  const rename = (name: string) => toWire.get(name) ?? name
  return {
    names: new Map(changed),
    toWire: rename,
    /** Translates each name in a dotted path. */
    pathToWire: (path: string) => path.split('.').map(rename).join('.'),
    fromWire: (name: string) => fromWire.get(name) ?? name
  }
}

/** A new name that is taken. */
interface Clash {
  readonly name: string
  readonly other: string
  /** The name that is kept, or renamed to it. */
  readonly owner: string
}

/** Renames that are not one to one. */
export function clashesOf(renames: Renames, known: readonly string[]): Clash[] {
  const owners = new Map(known.filter((name) => !Object.hasOwn(renames, name)).map((name) => [name, name]))
  const clashes: Clash[] = []
  for (const [name, other] of Object.entries(renames)) {
    const owner = owners.get(other)
    if (owner === undefined) owners.set(other, name)
    else clashes.push({ name, other, owner })
  }
  return clashes
}

/** Reports unknown names, and new names that clash. @param kind what a known name is, such as `a field` */
export function checkRenames(
  renames: Renames,
  known: readonly string[],
  path: string,
  kind: string,
  complain: Complain
): void {
  for (const name of Object.keys(renames)) checkKnown(name, known, `${path}.${name}`, `is not ${kind}`, complain)
  for (const { name, other, owner } of clashesOf(renames, known)) {
    const whose = owner === other ? 'the name of something else' : `already the new name of ${owner}`
    if (known.includes(name)) complain(`${path}.${name}`, `must not be ${other}, which is ${whose}`)
  }
}
