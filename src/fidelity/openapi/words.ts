import { editsBetween, LONGEST_WORD } from '../../lib/nearest.js'

/** Stands for the word of the brand, so that `svc_version` and `acme_version` have the same words. */
const BRAND = '*'

/** Shorter words are no abbreviations, and differ too much by one letter. */
const SHORTEST = 3

/** Words for the same thing, each with the one that stands for all of them. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    config: ['configuration', 'settings', 'cfg'],
    count: ['cnt'],
    create: ['created', 'creation', 'add', 'insert', 'new'],
    database: ['db'],
    delete: ['deleted', 'deletion', 'remove', 'destroy', 'terminate', 'drop'],
    description: ['desc'],
    disable: ['disabled'],
    enable: ['enabled', 'activate'],
    identifier: ['uuid', 'guid'],
    maximum: ['max'],
    minimum: ['min'],
    metadata: ['meta'],
    number: ['num', 'no'],
    organization: ['org', 'organisation'],
    // The acronyms of resource names differ in their first letter only.
    resourcename: ['arn', 'crn', 'orn', 'prn', 'srn', 'trn', 'urn'],
    start: ['resume', 'restart', 'unpause'],
    stop: ['pause', 'suspend', 'hibernate'],
    time: ['at', 'timestamp'],
    timezone: ['tz'],
    update: ['updated', 'modify', 'modified', 'change', 'changed', 'edit', 'set', 'put', 'patch'],
    vertex: ['vertices', 'node'],
    workgroup: ['wg'],
    workspace: ['ws']
  }).flatMap(([word, others]) => others.map((other) => [singular(other), word]))
)

/** Words that are written as one, as two, or as an abbreviation. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    creator: ['create', 'by'],
    ha: ['high', 'availability'],
    rw: ['read', 'write'],
    readwrite: ['read', 'write']
  })
)

/** Words that tell no two names apart. */
const FAINT: readonly string[] = [BRAND, 'is', 'has', 'last', 'byte']

/** Ends of names that things of any kind have: a name that ends in one is not related to all others that do. */
const COMMON_ENDS: readonly string[] = ['id', 'name', 'time']

/** An identifier as it is compared. */
export interface Name {
  /** The same for names that differ in case, separators, number and brand only. */
  readonly key: string
  /** The words of its meaning. */
  readonly words: readonly string[]
}

/** The words of an identifier as they are written, in lower case: those of `svcIAM.IAMUser` are svc, iam, iam, user. */
export function wordsIn(identifier: string): string[] {
  return identifier
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** A text without case and separators. */
export const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')

/** How the identifiers of a document are compared with those of another one. */
export class Naming {
  readonly #brand: string
  readonly #names = new Map<string, Name>()

  /** @param brand the word that stands for the brand; empty if there is none */
  constructor(brand: string) {
    this.#brand = brand
  }

  nameOf(identifier: string): Name {
    const known = this.#names.get(identifier)
    if (known !== undefined) return known
    const words = wordsIn(identifier).map((word) => (word === this.#brand ? BRAND : singular(word)))
    const name = {
      key: words.join(''),
      words: words.flatMap((word) => PARTS.get(word) ?? SYNONYMS.get(word) ?? word)
    }
    this.#names.set(identifier, name)
    return name
  }
}

function singular(word: string): string {
  if (word === 'ids') return 'id'
  if (word.length <= SHORTEST || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=ss|us|x|ch|sh)es$|s$/, '')
}

/** How two names are alike: they are spelt alike, mean the same, or are of things of one kind. */
type Likeness = 'spelling' | 'meaning' | 'kind'

/**
 * Compares two names. They mean the same if each telling word of one stands for one of the other, and are of one kind
 * if they end in the same word. Undefined if they have nothing in common.
 */
export function likenessOf(one: Name, other: Name): Likeness | undefined {
  if (one.key === other.key) return 'spelling'
  const [words, others] = [tellingWords(one), tellingWords(other)]
  if (words.length > 0 && words.length === others.length && commonWords(one, other) === words.length) return 'meaning'
  const end = words.at(-1) ?? ''
  return isSameWord(end, others.at(-1) ?? '') && !COMMON_ENDS.includes(end) ? 'kind' : undefined
}

/** Whether two names are spelt alike or mean the same. */
export function isSameName(one: Name, other: Name): boolean {
  const likeness = likenessOf(one, other)
  return likeness === 'spelling' || likeness === 'meaning'
}

/** How many telling words of a name stand for one of another name. */
export function commonWords(one: Name, other: Name): number {
  const left = tellingWords(other)
  return tellingWords(one).filter((word) => {
    const index = left.findIndex((candidate) => isSameWord(word, candidate))
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  }).length
}

const tellingWords = ({ words }: Name) => words.filter((word) => !FAINT.includes(word))

/** Whether two words are the same: also abbreviated, or misspelt by one letter that is not the first. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < SHORTEST || long.length > LONGEST_WORD) return false
  return long.startsWith(short) || (short.length > SHORTEST && short[0] === long[0] && editsBetween(short, long) === 1)
}

/**
 * The word by which another edition replaces that of a brand: what most of its names have in its place. It is the
 * brand itself if most keep it, and empty if none can be told.
 */
export function brandIn(names: Iterable<string>, ours: Iterable<string>, brand: string): string {
  const own = [...ours].map(wordsIn)
  const ownWords = new Set(own.flat())
  const wanted = new Set(
    own.flatMap((words) => (words.length > 1 && words.includes(brand) ? holed(words, words.indexOf(brand)) : []))
  )
  const votes = new Map<string, Set<string>>()
  for (const name of names) {
    const words = wordsIn(name)
    for (const [index, word] of words.entries()) {
      if (word !== brand && ownWords.has(word)) continue
      const pattern = holed(words, index)
      if (wanted.has(pattern)) votes.set(word, (votes.get(word) ?? new Set()).add(pattern))
    }
  }
  const [best] = [...votes].sort(([a, x], [b, y]) => y.size - x.size || compare(a, b))
  return best !== undefined && best[1].size >= LEAST_VOTES ? best[0] : ''
}

/** One name that looks branded may look so by chance. */
const LEAST_VOTES = 2

/** The words with a hole where the brand can be, wherever it occurs. */
function holed(words: readonly string[], index: number): string {
  return words.map((word) => (word === words[index] ? BRAND : singular(word))).join(' ')
}

/** Compares texts independently of the language of the machine. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
