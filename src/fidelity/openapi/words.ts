import { editsBetween } from '../../lib/nearest.js'

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

/** Words that say little about which thing it is. All others weigh 1. */
const WEIGHTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    [BRAND]: 0.3,
    is: 0.1,
    has: 0.1,
    last: 0.3,
    byte: 0.3,
    id: 0.6,
    name: 0.6,
    time: 0.6
  })
)

/** What makes a word the head of a name: `org_id` is an id, not an org. */
const LEAST_OF_HEAD = 0.5
/** How much names with different heads have in common at most. */
const OTHER_HEAD = 0.6
/** How alike misspelt words are, at least. */
const ALIKE = 0.7

const weightOf = (word: string) => WEIGHTS.get(word) ?? 1

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

/** How alike two names are: 1 for the same one, 0 for those that have nothing in common. */
export function similarity(one: Name, other: Name): number {
  if (one.key === other.key) return 1
  const rest = [...other.words]
  let common = 0
  for (const word of one.words) {
    const [index, alike] = bestOf(word, rest)
    if (index < 0) continue
    common += alike * (weightOf(word) + weightOf(rest[index]!))
    rest.splice(index, 1)
  }
  const all = [...one.words, ...other.words].reduce((sum, word) => sum + weightOf(word), 0)
  const heads = [one, other].map(({ words }) => words.findLast((word) => weightOf(word) >= LEAST_OF_HEAD) ?? '')
  const factor = likeness(heads[0]!, heads[1]!) === 0 ? OTHER_HEAD : 1
  // Names that only mean the same are not quite the same.
  return all === 0 ? 0 : Math.min(0.95, (factor * common) / all)
}

function bestOf(word: string, others: readonly string[]): [index: number, alike: number] {
  let best: [number, number] = [-1, 0]
  for (const [index, other] of others.entries()) {
    const alike = likeness(word, other)
    if (alike > best[1]) best = [index, alike]
  }
  return best
}

/** How alike two words are: the same, an abbreviation, misspelt, or not at all. */
function likeness(one: string, other: string): number {
  if (one === other) return 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < SHORTEST || long.length > 64) return 0
  if (long.startsWith(short)) return 0.8
  // Hardly anybody gets the first letter wrong, and a comparison takes long.
  if (short.length === SHORTEST || short[0] !== long[0] || short.length < ALIKE * long.length) return 0
  const alike = 1 - editsBetween(short, long) / long.length
  return alike >= ALIKE ? alike * 0.9 : 0
}

/**
 * The word by which another edition replaces that of a brand: what most of its names have in its place.
 * @returns the brand itself if most keep it; empty if none can be told
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
