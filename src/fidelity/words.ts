/** The brand in the mock's own names. */
const OWN_BRAND = 'svc'

/** Replaces the brand, so that `svc_version` and `acme_version` have the same words. */
const BRAND = '*'

/** Shorter words are not abbreviations. */
const SHORTEST = 3

/** Words by the synonym that replaces them. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    config: 'configuration settings cfg',
    count: 'cnt',
    create: 'created creation add insert new',
    'create by': 'creator',
    database: 'db',
    delete: 'deleted deletion remove destroy terminate drop',
    description: 'desc',
    disable: 'disabled',
    enable: 'enabled activate',
    'high availability': 'ha',
    identifier: 'uuid guid',
    maximum: 'max',
    minimum: 'min',
    metadata: 'meta',
    number: 'num no',
    organization: 'org organisation',
    'read write': 'rw readwrite',
    // The acronyms of resource names differ in their first letter only.
    resourcename: 'arn crn orn prn srn trn urn',
    start: 'resume restart unpause',
    stop: 'pause suspend hibernate',
    time: 'at timestamp',
    timezone: 'tz',
    update: 'updated modify modified change changed edit set put patch',
    vertex: 'vertices node',
    workgroup: 'wg',
    workspace: 'ws'
  }).flatMap(([meant, words]) => words.split(' ').map((word) => [singular(word), meant.split(' ')] as const))
)

/** Words that do not distinguish names. */
const FAINT: readonly string[] = [BRAND, 'is', 'has', 'last', 'byte']

/** Last words so common that sharing one does not relate names. */
const COMMON_ENDS: readonly string[] = ['id', 'name', 'time']

/** An identifier in the form for comparisons. */
export interface Name {
  /** The same for names that differ only in case, separators, number and brand. */
  readonly key: string
  /** The significant words, as their synonyms. */
  readonly words: readonly string[]
}

/** The words of an identifier in lower case: svc, iam, iam, user for `svcIAM.IAMUser`. */
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

/** Reads an identifier of a document for comparisons with those of another one. */
export type NameOf = (identifier: string) => Name

/** @param brand the document's word in place of the mock's brand; empty if unknown */
export function nameWith(brand: string): NameOf {
  const isBrand = (word: string) => word === brand || word === OWN_BRAND
  return (identifier) => {
    const words = wordsIn(identifier).map((word) => (isBrand(word) ? BRAND : singular(word)))
    const meant = words.flatMap((word) => SYNONYMS.get(word) ?? word)
    return { key: words.join(''), words: meant.filter((word) => !FAINT.includes(word)) }
  }
}

function singular(word: string): string {
  if (word === 'ids') return 'id'
  if (word.length <= SHORTEST || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.replace(/(?<=ss|us|x|ch|sh)es$|s$/, '')
}

/** Whether two names are spelt alike, or have words with the same meanings. */
export function isSameName(one: Name, other: Name): boolean {
  const { length } = one.words
  return one.key === other.key || (length > 0 && length === other.words.length && commonWords(one, other) === length)
}

/** Whether two names end in the same word. */
export function isSameKind(one: Name, other: Name): boolean {
  const end = one.words.at(-1) ?? ''
  return !COMMON_ENDS.includes(end) && isSameWord(end, other.words.at(-1) ?? '')
}

/** How many words of a name have a counterpart in another. */
export function commonWords(one: Name, other: Name): number {
  const left = [...other.words]
  return one.words.filter((word) => {
    const index = left.findIndex((candidate) => isSameWord(word, candidate))
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  }).length
}

/** Whether two words are the same, or one abbreviates the other. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= SHORTEST && long.startsWith(short)
}

/**
 * The word that most names of another edition have in place of the mock's brand. It is that brand itself if most keep
 * it, and empty if it is unknown.
 */
export function brandIn(names: Iterable<string>, ours: Iterable<string>): string {
  const own = [...ours].map(wordsIn)
  const ownWords = new Set(own.flat())
  const branded = own.filter((words) => words.length > 1 && words.includes(OWN_BRAND))
  const wanted = new Set(branded.map((words) => holed(words, OWN_BRAND)))
  const votes = new Map<string, Set<string>>()
  for (const words of [...names].map(wordsIn))
    for (const word of words) {
      if (word !== OWN_BRAND && ownWords.has(word)) continue
      const pattern = holed(words, word)
      if (wanted.has(pattern)) votes.set(word, (votes.get(word) ?? new Set()).add(pattern))
    }
  const [best] = [...votes].sort(([, a], [, b]) => b.size - a.size)
  return best !== undefined && best[1].size >= LEAST_VOTES ? best[0] : ''
}

/** A single name may look branded by chance. */
const LEAST_VOTES = 2

/** The words of a name, with one of them replaced. */
const holed = (words: readonly string[], hole: string) =>
  words.map((word) => (word === hole ? BRAND : singular(word))).join(' ')
