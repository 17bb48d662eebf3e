import { inOrder, type Trial } from './findings.js'
import type { Judgement } from './judge.js'
import type { Ran } from './run.js'
import { differenceInWords } from './words.js'

/** What a run looks like from outside, in words, to be found by {@link trialsWith}. */
export function symptomsOf(ran: Ran, { difference, recovery, problem }: Judgement): string {
  const again = recovery === undefined ? [] : [`run again, it ${endOf(recovery)}`]
  return [endOf(ran), differenceInWords(difference), ...again, problem?.summary ?? '']
    .filter((text) => text !== '')
    .join('; ')
}

const ENDINGS = { done: 'succeeded', failed: 'failed', hung: 'hung', killed: 'was killed' } as const

/** How a run ended, why, and in which state the client saw something last. */
function endOf({ ending, reason, met }: Ran): string {
  const last = met.findLast(({ point }) => point.state !== undefined)
  const why = reason === '' ? '' : ` (${reason})`
  return `${ENDINGS[ending]}${why}${last === undefined ? '' : ` in ${last.point.state!}`}`
}

/** The trials whose description has all words of a symptom, the most telling plans first. */
export function trialsWith(symptom: string, trials: readonly Trial[]): Trial[] {
  const wanted = wordsIn(symptom)
  return inOrder(trials).filter(({ result, symptoms }) => {
    const shown = new Set(wordsIn(symptoms))
    return result !== 'missed' && wanted.every((word) => shown.has(word))
  })
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\w-]+/g) ?? []
