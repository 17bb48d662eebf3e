import { hash, randomBytes } from 'node:crypto'
import { groupBy } from '../lib/group-by.js'
import type { Slices } from '../lib/scheduler.js'

/** State of a random stream: `draws` blocks of the sequence determined by `seed` have been used. */
export interface RandomState {
  /** 24 hexadecimal digits. */
  readonly seed: string
  draws: number
}

/**
 * A repeatable stream of random values. Block n depends only on the seed and n, so the whole state is a counter that is
 * cheap to store. After a restart, a stream continues where it stopped, and it never gives an id twice.
 */
export class Random {
  readonly #words: readonly [number, number, number]

  /** The state is shared with the caller and advances with every draw. */
  constructor(private readonly state: RandomState) {
    const word = (index: number) => Number.parseInt(state.seed.slice(index * 8, index * 8 + 8), 16)
    this.#words = [word(0), word(1), word(2)]
  }

  /** A lower-case version 4 UUID. */
  uuid(): string {
    this.#draw()
    // Consecutive ids share a prefix, so their rows are neighbours in an index and a commit writes few pages. 106
    // random bits remain.
    const neighbourhood = this.#words[0] + Math.floor(this.state.draws / ALIKE)
    bytes[0] = neighbourhood >>> 8
    bytes[1] = neighbourhood
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }

  /** A number in [0, 1) with 32 random bits. */
  fraction(): number {
    this.#draw()
    return block[0]! / 2 ** 32
  }

  /** Fills the block by the sfc32 generator, seeded with the seed and the counter, once these are well mixed. */
  #draw(): void {
    let [a, b, c] = this.#words
    let counter = ++this.state.draws
    // The generator counts in 32 bits; the higher bits go into another word.
    a ^= Math.floor(counter / 2 ** 32)
    counter |= 0
    for (let round = -ROUNDS_TO_MIX; round < 4; round++) {
      const next = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + next) | 0
      // Keep the last four rounds.
      block[round & 3] = next
    }
  }
}

const ROUNDS_TO_MIX = 15
// The last block drawn. It is read at once, so all streams share it: there may be very many.
const block = new Uint32Array(4)
const bytes = Buffer.from(block.buffer)

/** Number of consecutive ids that share a prefix. */
const ALIKE = 64
/** How far ahead {@link drawsPast} looks. After this many draws, the prefixes repeat. */
const HORIZON = ALIKE * 65_536

/**
 * Finds how many draws of a stream must be used up so that it gives none of these ids within the next four million.
 * This is most of the work of loading a document with many ids.
 * @returns the last draw that gives one of the ids; the present number of draws if none does
 */
export function* drawsPast({ seed, draws }: RandomState, ids: Iterable<string>): Slices<number> {
  const beginning = Number.parseInt(seed.slice(0, 8), 16)
  // The first digits of an id determine the draws that it can come from.
  const windows = groupBy([...ids], (id) => ((Number.parseInt(id.slice(0, 4), 16) - beginning) & 0xffff) * ALIKE)
  let used = draws
  // After a match, check the windows before it again, one horizon later, where their prefixes repeat.
  for (let before = -1; before !== used;) {
    before = used
    for (const [first, own] of windows) {
      used = Math.max(used, lastOf(seed, used, first, new Set(own)))
      yield
    }
  }
  return used
}

/** The last unused draw in the next window with this prefix that gives one of the ids; 0 if none does. */
function lastOf(seed: string, used: number, first: number, ids: ReadonlySet<string>): number {
  const rounds = Math.max(0, Math.ceil((used + 1 - (ALIKE - 1) - first) / HORIZON))
  const from = first + rounds * HORIZON
  const start = Math.max(from, used + 1)
  const random = new Random({ seed, draws: start - 1 })
  let last = 0
  for (let draw = start; draw < from + ALIKE; draw++) if (ids.has(random.uuid())) last = draw
  return last
}

export function freshSeed(): string {
  return randomBytes(12).toString('hex')
}

/** The seed for a name. Different names give unrelated streams. */
export function seedFrom(...name: (string | number)[]): string {
  return hash('sha256', JSON.stringify(name)).slice(0, 24)
}

export interface SeedSource {
  /** A seed for the ids of a new sandbox. */
  ofSandbox: () => string
  /** A seed for RequestIDs, in a sandbox with a seed or outside all sandboxes. Each run of the server has its own. */
  ofRequests: (sandboxSeed?: string) => string
}

/**
 * With a seed, every new sandbox draws the same ids regardless of its name, so a test that uses its own sandbox gets
 * the same replies each time.
 * @param seed the server's seed; undefined: everything is unpredictable
 * @param run how many times the database has been opened
 */
export function seedSource(seed: number | undefined, run: number): SeedSource {
  return {
    ofSandbox: () => (seed === undefined ? freshSeed() : seedFrom('sandbox', seed)),
    ofRequests: (sandboxSeed = seed === undefined ? freshSeed() : seedFrom('server', seed)) =>
      seedFrom('requests', sandboxSeed, run)
  }
}

/** The stream for a name. */
export function randomFrom(...name: (string | number)[]): Random {
  return new Random({ seed: seedFrom(...name), draws: 0 })
}

/** The UUID for a name. */
export function uuidFrom(...name: string[]): string {
  return randomFrom(...name).uuid()
}

/** Salt for a password. It never becomes visible, so it need not be repeatable. */
export function freshSalt(): Buffer {
  return randomBytes(16)
}
