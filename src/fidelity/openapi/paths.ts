import type { Name, Naming } from './words.js'

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
    words: texts.filter((text) => !isParameter(text)).map((text) => naming.nameOf(text)),
    isItem: isParameter(texts.at(-1) ?? '')
  }
}

const isParameter = (text: string) => text.startsWith('{')

/** Whether two paths are the same but for the names of their parameters. */
export function isSameRoute(one: string, other: string): boolean {
  return withoutNames(one) === withoutNames(other)
}

const withoutNames = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '')

/** The names of the parameters of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
