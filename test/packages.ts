import { read } from './doc-parts.js'

/** A package in a lockfile. */
export interface LockedPackage {
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

const FOLDERS = ['.', 'bench', 'bench/explore/real', 'test']

export const allPackages = (): LockedPackage[] => FOLDERS.flatMap(lockedPackages)

function lockedPackages(folder: string): LockedPackage[] {
  const { packages } = JSON.parse(read(`${folder}/package-lock.json`)) as {
    packages: Record<string, Omit<LockedPackage, 'path' | 'name'>>
  }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, fields]) => ({ ...fields, path, name: path.split('node_modules/').at(-1)! }))
}

/** Packages that `npm run build` bundles. */
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

/** The packages that are installed with this one, or bundled. */
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

/** Where Node finds a package from another one. */
function find(locked: ReadonlyMap<string, LockedPackage>, name: string, from: string): LockedPackage | undefined {
  const own = locked.get(`${from}node_modules/${name}`)
  if (own !== undefined || from === '') return own
  return find(locked, name, from.slice(0, from.lastIndexOf('node_modules/')))
}

/** Permissive licences, which require only a notice. */
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

/** Whether one of the alternative licences of a package is permissive; licences joined by AND must all be. */
export function isFree(license: string | undefined): boolean {
  const terms = license?.replaceAll(/^\(|\)$/g, '').split(' OR ') ?? []
  return terms.some((term) => term.split(' AND ').every((name) => FREE.includes(name)))
}
