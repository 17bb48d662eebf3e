import { checkKnown, type Complain } from './form.js'

/** New names by old ones. */
export type Renames = Readonly<Record<string, string>>

/**
 * Renames names one to one, all at once, and back. A name that is renamed, and is no new name of another, is exchanged
 * for one that nobody knows. So whatever a client writes is translated there and back without a loss.
 */
export class Renaming {
  /** The names that change, with their new names. */
  readonly names: ReadonlyMap<string, string>
  readonly #toWire: Map<string, string>
  readonly #fromWire: Map<string, string>

  /** @param renames checked by {@link checkRenames} */
  constructor(renames: Renames) {
    const changed = Object.entries(renames).filter(([name, other]) => name !== other)
    this.names = new Map(changed)
    this.#toWire = new Map(changed)
    this.#fromWire = new Map(changed.map(([name, other]) => [other, name]))
    for (const [first] of changed) {
      if (this.#fromWire.has(first)) continue
      let last = first
      while (this.#toWire.has(last)) last = this.#toWire.get(last)!
      this.#toWire.set(last, first)
      this.#fromWire.set(first, last)
    }
  }

  readonly toWire = (name: string): string => this.#toWire.get(name) ?? name
  readonly fromWire = (name: string): string => this.#fromWire.get(name) ?? name
}

/** A new name that something else has. */
interface Clash {
  readonly name: string
  readonly other: string
  /** What has it: a name that keeps its own, or another one that is renamed. */
  readonly owner: string
}

/** The names that would not be one to one any more. */
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

/**
 * Checks renames: a name that is not known, and one that clashes with another, are errors.
 * @param kind what a known name is, such as `a field`
 */
export function checkRenames(
  renames: Renames,
  known: readonly string[],
  path: string,
  kind: string,
  complain: Complain
): void {
  for (const name of Object.keys(renames)) checkKnown(name, known, `${path}.${name}`, `is not ${kind}`, complain)
  for (const { name, other, owner } of clashesOf(renames, known)) {
    const whose = owner === other ? 'the name of something else' : `the new name of ${owner} already`
    if (known.includes(name)) complain(`${path}.${name}`, `must not be ${other}, which is ${whose}`)
  }
}
