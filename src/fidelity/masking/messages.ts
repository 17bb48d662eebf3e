import { PART } from './chosen-texts.js'
import { isTime } from './harmless.js'

/** A longer message is replaced as a whole. */
const LONGEST_MESSAGE = 4096

/** A message that mentions a credential may contain one: only words about what happened to it stay. */
const CREDENTIAL = new RegExp(
  'pass(?:word|wd|code|phrase)|secret|token|credential|identified by|' +
    String.raw`\b(?:pin|otp|psk|pwd|pw|code|key|login|seed|mnemonic|recovery)s?\b`,
  'i'
)

/** Closing quotes, by opening quote. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»' }
const OPENING = new Set([...Object.keys(QUOTES), '(', '[', '{', '<'])
const CLOSING = new Set([...Object.values(QUOTES), ...')]}>.,:;!?'.split('')])
/** The beginning of a part up to its opening quote, if any, and that of the rest after a closing one. */
const TO_QUOTE = /^(?:[^"'`“‘«]*[=:])?[([{<]*(["'`“‘«])/u
const TO_NEXT_QUOTE = /^[^"'`“‘«]*[=:,([{<](["'`“‘«])/u

export interface Lexicon {
  /** Whether the names and values of the interface contain a word. */
  readonly isOfInterface: (word: string) => boolean
  /** Whether the interface declares a word as a value. */
  readonly isDeclared: (word: string) => boolean
  /** Whether somebody has chosen a text in lower case, such as a password. */
  readonly isChosen: (text: string) => boolean
  /** The lengths of chosen texts that begin with a part and have more, the longest first. */
  readonly chosenLengths: (part: string) => readonly number[]
  readonly pseudonymOf: (word: string) => string
}

/**
 * Replaces the words of a message that may be variable. Words of the interface and of messages stay, except in quotes,
 * as the last word after a colon, in a message about a credential, and where somebody has chosen them.
 */
export function maskMessage(text: string, lexicon: Lexicon): string {
  const { isOfInterface, isDeclared, isChosen, pseudonymOf } = lexicon
  // In lower case, a few characters, such as İ, become two: then chosen texts are at other places.
  const plain = text.toLowerCase()
  if (text.length > LONGEST_MESSAGE || plain.length !== text.length) return pseudonymOf(text)
  const parts = partsOf(text, plain, lexicon)
  const hasCredential = CREDENTIAL.test(text)
  let isNamed = false
  let quote: string | undefined
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part.trim() === '' ? part : pseudonymOf(part)
      if (part === '') return part
      const isQuoted = quote !== undefined || TO_QUOTE.test(part)
      quote = openAfter(part, quote)
      const [from, to] = wordIn(part)
      const word = part.slice(from, to)
      return word === '' || stays(word, isQuoted, index)
        ? part
        : part.slice(0, from) + pseudonymOf(word) + part.slice(to)
    })
    .join('')

  function stays(word: string, isQuoted: boolean, index: number): boolean {
    const plain = word.toLowerCase()
    if (isChosen(plain)) return false
    if (hasCredential) {
      // The message names the credential once; a later word may be the credential itself.
      const isName = !isQuoted && !isNamed && CREDENTIAL.test(plain) && MESSAGE_WORDS.has(plain)
      isNamed ||= isName
      return isName || (!isQuoted && CREDENTIAL_WORDS.has(plain))
    }
    if (/^\d{1,3}$/.test(word)) return !isNumber(parts[index - 2]) && !isNumber(parts[index + 2])
    if (isDeclared(word) || isTime(word)) return true
    return !isQuoted && !isValue(index) && (MESSAGE_WORDS.has(plain) || isOfInterface(plain))
  }

  /** Whether a part is the only one after a colon on its line. */
  function isValue(index: number): boolean {
    const isLast = index + 1 >= parts.length || parts[index + 1]!.includes('\n')
    return isLast && /[:=]$/.test(parts[index - 2] ?? '') && !parts[index - 1]!.includes('\n')
  }
}

/**
 * The parts of a message and, between them, the space, and chosen texts that are more than a word.
 * @param plain the same in lower case
 */
function partsOf(text: string, plain: string, { isChosen, chosenLengths }: Lexicon): string[] {
  const found = [...plain.matchAll(PART)]
  const ends = new Set(found.map(({ 0: part, index }) => index + part.length))
  const parts = ['']
  let end = 0
  for (const { 0: part, index: begin } of found) {
    if (begin < end) continue
    const length = chosenLengths(part).find((one) => ends.has(begin + one) && isChosen(plain.slice(begin, begin + one)))
    end = begin + (length ?? part.length)
    const piece = text.slice(begin, end)
    if (length !== undefined || piece.trim() === '') parts.push(piece, '')
    else parts.push(parts.pop()! + piece)
  }
  return parts
}

/** The closing quote that is missing after a part. @param quote the one that is missing before */
function openAfter(part: string, quote: string | undefined): string | undefined {
  let [missing, rest] = [quote, part]
  for (let opening = TO_QUOTE; ; opening = TO_NEXT_QUOTE) {
    if (missing === undefined) {
      const [before, mark] = opening.exec(rest) ?? []
      if (before === undefined) return undefined
      missing = QUOTES[mark!]!
      rest = rest.slice(before.length)
    }
    const closing = rest.indexOf(missing)
    if (closing < 0) return missing
    rest = rest.slice(closing + 1)
    missing = undefined
  }
}

const isNumber = (part = '') => /^\d+\W*$/.test(part)

/** The bounds of the word in a part of a message, without quotes and punctuation. */
function wordIn(part: string): [from: number, to: number] {
  let [from, to] = [0, part.length]
  while (from < to && OPENING.has(part[from]!)) from++
  while (to > from && CLOSING.has(part[to - 1]!)) to--
  return [from, to]
}

/** Words of messages about resources that are not in the interface. None is a likely password or name. */
export const MESSAGE_WORDS: ReadonlySet<string> = new Set(
  `a about accepted access account action activated active activity add added after again all allow allowed
  already also an and another any api are argument array as at attempt authenticate authenticated
  authentication authorization authorized automatic available backup backups bad be because been before begun
  being between block body boolean but by call can cannot change changed characters cluster code completed
  condition configuration conflict connect connection contact contain contains could create created creating
  creation credit current currently database databases date day days default delete deleted deleting deletion
  denied deployed detail details did different disable disabled does done down due duplicate duration during
  each empty enable enabled end ended ending enough entries entry error every exceed exceeded exceeds exist
  existing exists expected expired fail failed failing fails failure field fields file find finished first for
  forbidden found from full gateway get given got greater group has have header health hour hours iam id idle if
  in incorrect instance instances integer internal into invalid ip is it item items its job json key last
  later least length less limit limits list loading long longer lost malformed many matching maximum may
  memory message method minimum minute minutes missing more most must name named names needed new newer no
  node nodes none not nothing now null number object of off old older on once one only operation operations
  optional or org organization other out over owner page parameter parameters parse part password path pause
  paused pausing pending per permission permissions permitted please policy possible present process
  processing progress provided provisioning query queued quota range rate reached read ready reason received
  refresh refreshed refreshing refused region rejected remaining remove removed request requested requests
  require required requires reset resize resized resizing resource resources response restart restarted
  restore restored restoring result resume resumed resuming retries retry role roles route run running same
  schedule scheduled schedules second seconds secret see server service set shorter should size snapshot so
  some started starting state status still stop stopped stopping storage string succeeded success successful
  successfully such support supported system terminated terminating termination than that the their them then
  there these they this time timed timeout to token too took try trying type unable unauthorized unavailable
  under unexpected unique unknown unsupported until update updated updating upgrade upgrading use used user
  users using valid validation value values version wait waiting was were what when where which while will
  with within without workgroup workgroups workspace workspaces would wrong yet you your zone`.split(/\s+/)
)

/** Nouns for the subjects of messages. */
export const SUBJECTS: ReadonlySet<string> = new Set(
  `backup backups database databases entries entry job org schedule schedules user users workgroup workgroups workspace
  workspaces`.split(/\s+/)
)

/** Words that stay in a message about a credential. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(
  `a accept an and api are as at authorization be bearer been by can cannot changed created deleted denied does empty
  exist expired field for from has have header incorrect invalid is it least long malformed may missing must new no not
  of operation or please provided refused rejected request required send session set short than that the this to too
  unable unauthorized updated user was were with without wrong you your`.split(/\s+/)
)
