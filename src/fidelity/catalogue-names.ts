import { nameOf } from '../profile/catalogue.js'
import { ORG_ROLE_NAMES } from '../profile/org-roles.js'
import type { Profile } from '../profile/profile.js'
import type { CatalogueList } from '../resources/comparable.js'

/** Names of the catalogue: which ones the mock has, and which of them stand in for those that only the service has. */
export class CatalogueNames {
  readonly #ours: Readonly<Record<CatalogueList, readonly string[]>>
  readonly #toOurs = new Map<string, string>()
  readonly #toTheirs = new Map<string, string>()

  constructor({ catalogue, names }: Pick<Profile, 'catalogue' | 'names'>) {
    const { platforms, regions, versions, workspace_types: types } = catalogue
    const own = {
      platforms,
      regions: regions.map(nameOf),
      versions: versions.map(nameOf),
      workspace_types: types.map(nameOf),
      roles: ORG_ROLE_NAMES
    }
    const wire = Object.entries(own).map(([list, values]) => [list, values.map(names.values.toWire)])
    this.#ours = Object.fromEntries(wire) as Record<CatalogueList, readonly string[]>
  }

  has(list: CatalogueList, name: string): boolean {
    return this.#ours[list].includes(name)
  }

  /** A name that the mock has, for one of the service. */
  toOurs(list: CatalogueList, name: string): string {
    if (this.has(list, name)) return name
    const key = `${list} ${name}`
    const known = this.#toOurs.get(key)
    if (known !== undefined) return known
    const taken = new Set(this.#toOurs.values())
    // The last ones are the least likely to be in use.
    const chosen = [...this.#ours[list]].reverse().find((own) => !taken.has(own)) ?? this.#ours[list][0]!
    this.#toOurs.set(key, chosen)
    this.#toTheirs.set(`${list} ${chosen}`, name)
    return chosen
  }

  /** The name that the service has for one of the mock. */
  toTheirs(list: CatalogueList, name: string): string {
    return this.#toTheirs.get(`${list} ${name}`) ?? name
  }

  /** Whether a name of the mock stands in for another one. */
  isStandIn(list: CatalogueList, name: string): boolean {
    return this.#toTheirs.has(`${list} ${name}`)
  }
}
