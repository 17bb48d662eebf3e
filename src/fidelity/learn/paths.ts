import { parsePath } from '../../profile/path-template.js'
import { commonWords, type Name, type NameOf } from '../words.js'
import { oneToOne } from './match.js'

export interface Path {
  /** The parts between slashes and parameters, such as `pause` in `/{id}:pause`. */
  readonly words: readonly Name[]
  /** Whether it ends in a parameter. */
  readonly isItem: boolean
}

export function readPath(path: string, nameOf: NameOf): Path {
  const texts = path
    .split('/')
    .flatMap((step) => step.split(/(\{[^{}]*\})/))
    .map((text) => text.replace(/^:/, ''))
    .filter((text) => text !== '')
  return {
    words: texts.filter((text) => !text.startsWith('{')).map(nameOf),
    isItem: texts.at(-1)?.startsWith('{') === true
  }
}

/** Whether two paths differ at most in the names of their parameters. */
export function isSameRoute(one: string, other: string): boolean {
  return withoutNames(one) === withoutNames(other)
}

/** A path, or a route, without the names of its parameters. */
export const withoutNames = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '')

export const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)

/** A path whose parameters have valid and unique names; undefined if the mock cannot serve it. */
export function servablePath(path: string): string | undefined {
  const used = new Set<string>()
  const renamed = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    let plain = name.replaceAll(/\W/g, '_').replace(/^(?![A-Za-z])/, 'p')
    while (used.has(plain)) plain += '_'
    used.add(plain)
    return `{${plain}}`
  })
  return typeof parsePath(renamed) === 'string' ? undefined : renamed
}

/** The parameter of an operation for each parameter of another path: by most common words, otherwise by position. */
export function matchParameters(
  own: readonly string[],
  theirs: readonly string[],
  nameOf: { readonly own: NameOf; readonly theirs: NameOf }
): Record<string, string> {
  const common = (one: string, other: string) => commonWords(nameOf.own(one), nameOf.theirs(other))
  const pairs = theirs
    .flatMap((name) => own.map((one) => ({ own: one, theirs: name, common: common(one, name) })))
    .filter((pair) => pair.common > 0)
    .sort((a, b) => b.common - a.common)
  const matched = new Map(oneToOne(pairs).map((pair) => [pair.theirs, pair.own]))
  const left = own.filter((name) => ![...matched.values()].includes(name))
  return Object.fromEntries(theirs.map((name) => [name, matched.get(name) ?? left.shift()!]))
}
