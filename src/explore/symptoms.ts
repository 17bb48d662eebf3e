import { inOrder, type Trial } from './findings.js'
import type { Judgement } from './judge.js'
import type { Run } from './run.js'
import { differenceInWords } from './words.js'

/** Describes how a run looked from outside, for {@link trialsWith}. */
export function symptomsOf(run: Run, { difference, recovery, problem }: Judgement): string {
  const again = recovery === undefined ? [] : [`run again, it ${endOf(recovery)}`]
  return [endOf(run), differenceInWords(difference), ...again, problem?.summary ?? '']
    .filter((text) => text !== '')
    .join('; ')
}

const ENDINGS = { done: 'succeeded', failed: 'failed', hung: 'hung', killed: 'was killed' } as const

/** How a run ended, why, and the last state that the client saw. */
function endOf({ ending, reason, seen }: Run): string {
  const last = seen.findLast(({ point }) => point.state !== undefined)
  const why = reason === '' ? '' : ` (${reason})`
  return `${ENDINGS[ending]}${why}${last === undefined ? '' : ` in ${last.point.state!}`}`
}

/** The trials whose symptoms contain all given words, the most revealing plans first. */
export function trialsWith(symptom: string, trials: readonly Trial[]): Trial[] {
  const wanted = wordsIn(symptom)
  return inOrder(trials).filter(({ result, symptoms }) => {
    const shown = new Set(wordsIn(symptoms))
    return result !== 'missed' && wanted.every((word) => shown.has(word))
  })
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\w-]+/g) ?? []
