import { type Name, type Naming, similarity } from './words.js'

/** A step of a path: a parameter, or a word. */
interface Segment {
  readonly isParameter: boolean
  readonly name: Name
  /** What it costs if the other path has no such segment. */
  readonly gap: number
}

export type Path = readonly Segment[]

/** What it costs that one path has a segment and the other does not. What comes before all resources hardly counts. */
const GAPS = { prefix: 0.1, word: 0.7, parameter: 0.4 } as const
/** Words that are less alike do not stand for one another. */
const LEAST_ALIKE = 0.4
/** How much more than others the last word says about an operation. */
const LAST = 1.5
const OTHER_PARAMETER = 0.1

/** Reads a path. A word that follows a parameter directly, as in `/{id}:pause`, is a segment of its own. */
export function readPath(path: string, naming: Naming): Path {
  const texts = path
    .split('/')
    .flatMap((step) => step.split(/(\{[^{}]*\})/))
    .map((text) => text.replace(/^:/, ''))
    .filter((text) => text !== '')
  const firstParameter = texts.findIndex(isParameter)
  const words = firstParameter < 0 ? texts.length : firstParameter
  return texts.map((text, index) => ({
    isParameter: isParameter(text),
    name: naming.nameOf(text),
    gap: isParameter(text) ? GAPS.parameter : index + 1 < words ? GAPS.prefix : GAPS.word
  }))
}

const isParameter = (text: string) => text.startsWith('{')

/** How alike two paths are, from 0 to 1. */
export function pathSimilarity(one: Path, other: Path): number {
  // The least that it costs to turn the first segments of one path into the first ones of the other.
  let above = [0]
  for (const { gap } of other) above.push(above.at(-1)! + gap)
  const all = one.reduce((sum, { gap }) => sum + gap, 0) + above.at(-1)!
  for (const [row, segment] of one.entries()) {
    const current = [above[0]! + segment.gap]
    for (const [column, candidate] of other.entries()) {
      const isLast = row === one.length - 1 && column === other.length - 1
      current.push(
        Math.min(
          above[column + 1]! + segment.gap,
          current[column]! + candidate.gap,
          above[column]! + difference(segment, candidate) * (isLast ? LAST : 1)
        )
      )
    }
    above = current
  }
  return all === 0 ? 1 : Math.max(0, 1 - above.at(-1)! / all)
}

function difference(one: Segment, other: Segment): number {
  if (one.isParameter !== other.isParameter) return Infinity
  const alike = similarity(one.name, other.name)
  if (one.isParameter) return OTHER_PARAMETER * (1 - alike)
  return alike < LEAST_ALIKE ? Infinity : 1 - alike
}

/** Whether two paths lead to the same kind of thing: both to one of many, or neither. */
export const endAlike = (one: Path, other: Path) => one.at(-1)?.isParameter === other.at(-1)?.isParameter

/** Whether two paths are the same but for the names of their parameters. */
export function isSameRoute(one: string, other: string): boolean {
  return withoutNames(one) === withoutNames(other)
}

const withoutNames = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '')

/** The names of the parameters of a path. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
