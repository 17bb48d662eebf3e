import { hash, randomBytes } from 'node:crypto'
import type { Slices } from '../lib/slices.js'

/** What a stream of random values is made of: `draws` blocks of the sequence that `seed` fixes have been used. */
export interface RandomState {
  /** 24 hexadecimal digits. */
  readonly seed: string
  draws: number
}

/**
 * A repeatable stream of random values. Block n depends on the seed and n alone, so the whole state is a counter that
 * is cheap to store: a stream goes on after a restart where it stopped, and never gives an id twice.
 */
export class Random {
  readonly #state: RandomState
  readonly #words: readonly [number, number, number]

  /** The state is shared with the caller and advances with every draw. */
  constructor(state: RandomState) {
    this.#state = state
    const word = (index: number) => Number.parseInt(state.seed.slice(index * 8, index * 8 + 8), 16)
    this.#words = [word(0), word(1), word(2)]
  }

  /** A version 4 UUID, lower case. */
  uuid(): string {
    this.#draw()
    // Ids that are drawn one after the other begin alike, so that their rows lie together in an index and a commit
    // writes few pages; 106 random bits remain.
    const neighbourhood = this.#words[0] + Math.floor(this.#state.draws / ALIKE)
    bytes[0] = neighbourhood >>> 8
    bytes[1] = neighbourhood
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const high = (index: number) => DIGITS[bytes[index]! >>> 4]!
    const low = (index: number) => DIGITS[bytes[index]! & 0x0f]!
    // Made at once: a text put together from parts is a tree, which whoever hashes or sends it has to turn into a text
    // first.
    return String.fromCharCode(
      high(0),
      low(0),
      high(1),
      low(1),
      high(2),
      low(2),
      high(3),
      low(3),
      DASH,
      high(4),
      low(4),
      high(5),
      low(5),
      DASH,
      high(6),
      low(6),
      high(7),
      low(7),
      DASH,
      high(8),
      low(8),
      high(9),
      low(9),
      DASH,
      high(10),
      low(10),
      high(11),
      low(11),
      high(12),
      low(12),
      high(13),
      low(13),
      high(14),
      low(14),
      high(15),
      low(15)
    )
  }

  /** The third and fourth bytes of the next UUID, which it uses up. */
  middle(): number {
    this.#draw()
    return (bytes[2]! << 8) | bytes[3]!
  }

  /** A number in [0, 1) with 32 random bits. */
  fraction(): number {
    this.#draw()
    return block[0]! / 2 ** 32
  }

  /**
   * Fills the block by the sfc32 generator, started from the seed and the counter and run until both are well mixed.
   */
  #draw(): void {
    let [a, b, c] = this.#words
    let counter = ++this.#state.draws
    // The generator counts in 32 bits; what is above them goes into another word.
    a ^= Math.floor(counter / 2 ** 32)
    counter |= 0
    for (let round = -ROUNDS_TO_MIX; round < 4; round++) {
      const next = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + next) | 0
      // Of all rounds, the last four remain.
      block[round & 3] = next
    }
  }
}

const ROUNDS_TO_MIX = 15
// What was drawn last. It is used at once, so all streams share it: each sandbox has two, and there may be very many.
const block = new Uint32Array(4)
const bytes = new Uint8Array(block.buffer)
const DIGITS = Buffer.from('0123456789abcdef')
const DASH = '-'.charCodeAt(0)

/** How many ids that are drawn one after the other begin alike. */
const ALIKE = 64
/** How far ahead {@link drawsPast} sees: then the ids begin as they did before. */
const HORIZON = ALIKE * 65_536

/** Ids that begin alike, so that they can only be among the same draws. */
interface Neighbours {
  readonly ids: Set<string>
  /** The third and fourth bytes of each, which can be compared before any text is made. */
  readonly middles: Set<number>
  /** The first of the draws that were looked through. */
  seen: number
}

/**
 * How much of a stream has to be used up so that it gives none of some ids again, within the next four million draws.
 * Each draw that may give one of them is made once, however many there are. In slices, because that is most of the time
 * that a document with many ids takes.
 * @returns the last draw that gave one; what is used up, if the stream has none of them to give
 */
export function* drawsPast({ seed, draws }: RandomState, ids: Iterable<string>): Slices<number> {
  const beginning = Number.parseInt(seed.slice(0, 8), 16)
  const places = new Map<number, Neighbours>()
  for (const id of ids) {
    // The first digits tell which draws it can be.
    const place = (Number.parseInt(id.slice(0, 4), 16) - beginning) & 0xffff
    const neighbours = places.get(place) ?? { ids: new Set(), middles: new Set(), seen: -1 }
    neighbours.ids.add(id)
    neighbours.middles.add(Number.parseInt(id.slice(4, 8), 16))
    places.set(place, neighbours)
  }
  let used = draws
  // What is found may lie behind draws that were looked through; ids that begin like those come again, a horizon later.
  for (let before = -1; before !== used;) {
    before = used
    for (const [place, neighbours] of places) {
      used = Math.max(used, lastOf(seed, used, place * ALIKE, neighbours))
      yield
    }
  }
  return used
}

/** The last draw after those that are used up which gives one of some ids; 0 if none does. */
function lastOf(seed: string, used: number, first: number, neighbours: Neighbours): number {
  const rounds = Math.max(0, Math.ceil((used + 1 - (ALIKE - 1) - first) / HORIZON))
  const from = first + rounds * HORIZON
  if (neighbours.seen === from) return 0
  neighbours.seen = from
  let last = 0
  const start = Math.max(from, used + 1)
  const random = new Random({ seed, draws: start - 1 })
  for (let draw = start; draw < from + ALIKE; draw++) {
    if (neighbours.middles.has(random.middle()) && neighbours.ids.has(new Random({ seed, draws: draw - 1 }).uuid()))
      last = draw
  }
  return last
}

/** A seed nobody can foresee. */
export function freshSeed(): string {
  return randomBytes(12).toString('hex')
}

/** The seed that a name always gives; different names give unrelated streams. */
export function seedFrom(...name: (string | number)[]): string {
  return hash('sha256', JSON.stringify(name)).slice(0, 24)
}

/** Where the seeds of a server come from. */
export interface SeedSource {
  /** Of a new sandbox's ids. */
  ofSandbox: () => string
  /** Of RequestIDs, in a sandbox with a seed, or outside of all. No two runs of the server share one. */
  ofRequests: (sandboxSeed?: string) => string
}

/**
 * With a seed, every new sandbox draws the same ids, whatever it is called, so that a test gives the same replies in a
 * sandbox of its own each time.
 * @param seed the server's seed; undefined: nobody can foresee anything
 * @param run how often the database has been opened
 */
export function seedSource(seed: number | undefined, run: number): SeedSource {
  return {
    ofSandbox: () => (seed === undefined ? freshSeed() : seedFrom('sandbox', seed)),
    ofRequests: (sandboxSeed = seed === undefined ? freshSeed() : seedFrom('server', seed)) =>
      seedFrom('requests', sandboxSeed, run)
  }
}

/** The stream that a name always gives, apart from all others. */
export function randomFrom(...name: (string | number)[]): Random {
  return new Random({ seed: seedFrom(...name), draws: 0 })
}

/** The UUID that a name always gives. */
export function uuidFrom(...name: string[]): string {
  return randomFrom(...name).uuid()
}

/** Salt for a password. It decides nothing that anybody sees, so it need not be repeatable. */
export function freshSalt(): Buffer {
  return randomBytes(16)
}
