import { parsePath } from '../../profile/path-template.js'
import { commonWords, type Name, type Naming } from './words.js'

/** A path as it is compared. */
export interface Path {
  /** Its words, without parameters. One that follows a parameter directly, as in `/{id}:pause`, is a word as well. */
  readonly words: readonly Name[]
  /** Whether it leads to one of many things, whose id is its last segment. */
  readonly isItem: boolean
}

export function readPath(path: string, naming: Naming): Path {
  const texts = path
    .split('/')
    .flatMap((step) => step.split(/(\{[^{}]*\})/))
    .map((text) => text.replace(/^:/, ''))
    .filter((text) => text !== '')
  return {
    words: texts.filter((text) => !text.startsWith('{')).map((text) => naming.nameOf(text)),
    isItem: texts.at(-1)?.startsWith('{') === true
  }
}

/** Whether two paths are the same but for the names of their parameters. */
export function isSameRoute(one: string, other: string): boolean {
  return withoutNames(one) === withoutNames(other)
}

const withoutNames = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '')

/** The names of the parameters of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)

/**
 * A path of a document as a profile can have it: letters and digits in the names of its parameters, each name once.
 * @returns undefined if the mock cannot serve it
 */
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

/**
 * Which of an operation's parameters each parameter of another path stands for: the one with most words in common,
 * otherwise the next one that is left.
 */
export function matchParameters(
  own: readonly string[],
  theirs: readonly string[],
  naming: { readonly own: Naming; readonly theirs: Naming }
): Record<string, string> {
  const matched = new Map<string, string>()
  const free = new Set(own)
  const pairs = theirs
    .flatMap((name) => own.map((other) => ({ name, other, common: common(other, name) })))
    .filter((pair) => pair.common > 0)
    .sort((a, b) => b.common - a.common)
  for (const { name, other } of pairs) if (!matched.has(name) && free.delete(other)) matched.set(name, other)
  const left = [...free]
  return Object.fromEntries(theirs.map((name) => [name, matched.get(name) ?? left.shift()!]))

  function common(one: string, other: string): number {
    return commonWords(naming.own.nameOf(one), naming.theirs.nameOf(other))
  }
}
