import { read } from './doc-parts.js'

/** A package that comes along when this one is installed, as the lockfile has it. */
export interface LockedPackage {
  /** Where it is installed. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** SPDX expression. */
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: true
  readonly dependencies?: Readonly<Record<string, string>>
  /** Only for building and testing. */
  readonly dev?: true
}

/** Folders with packages of their own; those of the others are for maintainers only. */
const FOLDERS = ['.', 'bench', 'bench/explore/real', 'test']

/** Every package that a lockfile of the checkout names. */
export const allPackages = (): LockedPackage[] => FOLDERS.flatMap(lockedPackages)

/** Every package that the lockfile of a folder names, but the folder itself. */
function lockedPackages(folder: string): LockedPackage[] {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as {
    packages: Record<string, Omit<LockedPackage, 'path' | 'name'>>
  }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, fields]) => ({ ...fields, path, name: path.split('node_modules/').at(-1)! }))
}

/** Packages of which `npm run build` puts parts into the package. */
export const BUNDLED: readonly string[] = [
  '@bomb.sh/tab',
  '@fastify/cors',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@modelcontextprotocol/server',
  '@sinclair/typebox',
  'ajv',
  'croner',
  'fastify',
  'find-my-way',
  'ipaddr.js',
  'jmespath',
  'pino',
  'preact',
  'yaml'
]

/** Those that come along: what is installed with this package, and what may be bundled into it. */
export function runtimePackages(): LockedPackage[] {
  const locked = new Map(lockedPackages('.').map((entry) => [entry.path, entry]))
  const bundled = new Set<LockedPackage>()
  const collect = (name: string, from: string): void => {
    const entry = find(locked, name, from)
    if (entry === undefined || bundled.has(entry)) return
    bundled.add(entry)
    for (const dependency of Object.keys(entry.dependencies ?? {})) collect(dependency, `${entry.path}/`)
  }
  for (const name of BUNDLED) collect(name, '')
  return [...locked.values()].filter((entry) => entry.dev !== true || bundled.has(entry))
}

/** Where Node finds a package that another one loads: next to it, or further up. */
function find(locked: ReadonlyMap<string, LockedPackage>, name: string, from: string): LockedPackage | undefined {
  const own = locked.get(`${from}node_modules/${name}`)
  if (own !== undefined || from === '') return own
  return find(locked, name, from.slice(0, from.lastIndexOf('node_modules/')))
}

/** Licences that let anybody use, change and pass on a program, closed ones too, and ask for no more than a notice. */
const FREE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense'
]

/**
 * Whether a package may come along: one of the licences that it offers is free; of several that count together, each.
 */
export function isFree(license: string | undefined): boolean {
  const terms = license?.replaceAll(/^\(|\)$/g, '').split(' OR ') ?? []
  return terms.some((term) => term.split(' AND ').every((name) => FREE.includes(name)))
}
