import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/sandboxes/fault-rule.ts',
    line: "errors.length === 0 && typeof min === 'string'",
    replacement: 'true',
    reason: 'What is no duration has no length, and is not longer than anything.'
  },
  {
    file: 'src/sandboxes/faults.ts',
    line: 'return probability === 1 ||',
    replacement: 'false',
    reason: 'It spares a draw, which is always less than 1.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'return this.#counts.size > 0 &&',
    replacement: 'true',
    reason: 'It spares a look into an empty map.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'return this.#counts.size > 0 &&',
    replacement: 'this.#counts.size >= 0',
    reason: 'It spares a look into an empty map.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: 'const count = (this.#counts.get(sandbox) ?? 0) + by',
    replacement: '(this.#counts.get(sandbox) ?? 0) - by',
    reason: 'It comes back to 0 from below as well.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: "place: Place = 'slice', isDone = false",
    replacement: '""',
    reason: 'Only a turn and a rest are treated otherwise.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (idle === undefined ||',
    replacement: 'false',
    reason: 'The sandbox that was just kept is always there.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'version: this.#held++ * 2 ** 32',
    replacement: 'this.#held--',
    reason: 'These versions differ as well.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'version: this.#held++ * 2 ** 32',
    replacement: 'this.#held++ / 2 ** 32',
    reason: 'These versions differ as well, until there are very many.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'true',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'false',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'this.#rooms.size > MOST_KNOWN',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/resources.ts',
    line: 'if (this.#rooms.size >= MOST_KNOWN) this.#rooms.clear()',
    replacement: 'this.#rooms.size < MOST_KNOWN',
    reason: 'What is known of the room only spares time, and takes up little.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'for (let left = SLICE; left > 0;)',
    replacement: 'left >= 0',
    reason: 'With nothing left to remove, the round more removes nothing.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'if (left === 0) break',
    replacement: 'false',
    reason: 'It spares statements that would remove nothing: snapshots, of which each removes one, come first.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'return rows > MANY ||',
    replacement: 'false',
    reason: 'It spares counting: with the rows that there are, it is even more.'
  }
]
