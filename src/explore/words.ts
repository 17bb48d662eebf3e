import { plural } from '../lib/quantity.js'
import type { Changed, Difference, Surplus } from './end-state.js'

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Such as `three workspaces`. */
export const count = (number: number, noun: string): string => `${NUMBERS[number] ?? number} ${plural(number, noun)}`

/** Such as `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`
}

export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** Such as `two workspaces named main/writer exist`. */
export function duplicateInWords({ kind, path, count: number, expected }: Surplus): string {
  if (expected === 0)
    return `it created the ${kind} ${path} again, and ${number === 1 ? 'one remains' : `${number} remain`}`
  return `${count(number, kind)} named ${path} exist${number === 1 ? 's' : ''}`
}

/** Such as `the workspace main/writer`. */
export function nounOf({ kind, path, count: number, expected }: Surplus): string {
  const surplus = Math.abs(number - expected)
  if (surplus > 1) return `${count(surplus, kind)} named ${path}`
  return number > 0 && expected > number ? `one of ${count(expected, kind)} named ${path}` : `the ${kind} ${path}`
}

function changeInWords({ kind, path, property, expected, actual }: Changed): string {
  return `${property} of the ${kind} ${path} is ${actual}, not ${expected}`
}

/** Maximum number of differences in one sentence. */
const MOST = 3

/** Empty if nothing differs. */
export function differenceInWords({ extra, missing, changed }: Difference): string {
  const all = [
    ...missing.map((item) => `${nounOf(item)} ${item.expected - item.count === 1 ? 'is' : 'are'} missing`),
    ...extra.map((item) =>
      item.expected === 0
        ? `${nounOf(item)} ${item.count === 1 ? 'exists' : 'exist'} unexpectedly`
        : duplicateInWords(item)
    ),
    ...changed.map(changeInWords)
  ]
  const more = all.length - MOST
  return listed(more > 0 ? [...all.slice(0, MOST), count(more, 'other difference')] : all)
}
