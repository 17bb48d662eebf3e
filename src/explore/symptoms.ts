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

/** The trials that show a symptom, the most telling plans first. */
export function trialsWith(symptom: string, trials: readonly Trial[]): Trial[] {
  const wanted = wordsIn(symptom)
  return inOrder(trials).filter(({ result, symptoms }) => {
    const shown = new Set(wordsIn(symptoms))
    return result !== 'missed' && wanted.every((word) => shown.has(word))
  })
}

/** Words that say nothing about what happened. */
const EMPTY = new Set(['a', 'an', 'the', 'is', 'are', 'was', 'were', 'it', 'that', 'of', 'to', 'and', 'but', 'with'])

/** What people say instead of the words of a report. */
const SAID: Readonly<Record<string, string>> = {
  twice: 'two',
  double: 'two',
  '2': 'two',
  call: 'nam',
  name: 'nam',
  stuck: 'hung',
  hang: 'hung',
  hanging: 'hung',
  crash: 'fail',
  error: 'fail'
}

/** Words without their endings, in the words of a report. */
function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\w-]+/)
    .filter((word) => word !== '' && !EMPTY.has(word))
    .map((word) => {
      const stem = word.length > 4 ? word.replace(/(?:ed|s)$/, '') : word
      return SAID[word] ?? SAID[stem] ?? stem
    })
}
