import type { LedgerEntry } from '../ledger.js'
import { type Note } from '../openapi/notes.js'
import { times } from './draft.js'

/** The longest value that a comment shows. */
const LONGEST = 60

/** What a learned profile does not make the mock show, by the assumptions that exchanges still contradict. */
export function limitsIn(ledger: readonly LedgerEntry[]): Note[] {
  return ledger.flatMap(({ id, verdict, says, agreements, differences, examples }) => {
    if (verdict !== 'contradicted') return []
    const [example] = examples
    const shown =
      example === undefined
        ? ''
        : ` Exchange ${example.exchange}: ${valueText(example.theirs)}, not ${valueText(example.ours)}.`
    const text =
      `The mock cannot show: ${id}, “${firstSentence(says)}”, is not so in ` +
      `${differences} of ${times(agreements + differences, 'observation')}.${shown}`
    return [{ place: [], text, isUnclear: false }]
  })
}

/** Longer ones are cut. */
const LONGEST_SENTENCE = 200

/** Code in a sentence can have full stops. */
function firstSentence(markdown: string): string {
  const text = markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  const sentence = (/^(?:`[^`]*`|[^`])*?[.](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\.$/, '')
  return sentence.length > LONGEST_SENTENCE ? `${sentence.slice(0, LONGEST_SENTENCE)}…` : sentence
}

function valueText(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
