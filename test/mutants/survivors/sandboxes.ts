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
  },
  {
    file: 'src/sandboxes/fault-rule.ts',
    line: "errors.length === 0 && typeof min === 'string'",
    replacement: "errors.length === 0 && typeof min === 'string' || typeof max === 'string'",
    reason: 'What is no duration has no length, and is not longer than anything.'
  },
  {
    file: 'src/sandboxes/fault-rule.ts',
    line: "errors.length === 0 && typeof min === 'string'",
    replacement: "errors.length === 0 || typeof min === 'string'",
    reason: 'What is no duration has no length, and is not longer than anything.'
  },
  {
    file: 'src/sandboxes/fault-rule.ts',
    line: "return min + randomFrom('delay', random.seed, number, seen)",
    replacement: '""',
    reason: 'Every name has a stream of its own, and one is as random as the other.'
  },
  {
    file: 'src/sandboxes/faults.ts',
    line: 'return probability === 1 ||',
    replacement: "randomFrom('fault', random.seed, number, seen).fraction() <= probability",
    reason: 'A draw is hardly ever exactly the probability.'
  },
  {
    file: 'src/sandboxes/long-reads.ts',
    line: "? this.#readOn(sandbox, begin(), 'slice', restart)",
    replacement: '""',
    reason: 'Only a turn and a rest are treated otherwise.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'readonly #collected = new FinalizationRegistry<string>((id) => {',
    replacement: '{}',
    reason: 'Only the garbage collector calls it, and no test can tell when.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (this.#left.get(id)?.deref() === undefined) this.#left.delete(id)',
    replacement: 'true',
    reason: 'Only the garbage collector calls it, and no test can tell when.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (this.#left.get(id)?.deref() === undefined) this.#left.delete(id)',
    replacement: 'false',
    reason: 'Only the garbage collector calls it, and no test can tell when.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (this.#left.get(id)?.deref() === undefined) this.#left.delete(id)',
    replacement: 'this.#left.get(id)?.deref() !== undefined',
    reason: 'Only the garbage collector calls it, and no test can tell when.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (this.#left.get(id)?.deref() === undefined) this.#left.delete(id)',
    replacement: 'this.#left.get(id).deref',
    reason: 'Only the garbage collector calls it, and no test can tell when.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (sandbox.key <= this.#newestBefore) this.#refilled.add(sandbox.key)',
    replacement: 'true',
    reason: 'A newer sandbox does not predate the baseline anyway.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'const changed = [...this.#open.values()].filter(',
    replacement: '[...this.#open.values()]',
    reason: 'It spares storing what is stored already.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: 'if (!sandbox.isRemoved) this.#recency.touch(sandbox)',
    replacement: 'true',
    reason: 'A removed sandbox that stays in the order leaves it when it comes first again.'
  },
  {
    file: 'src/sandboxes/registry.ts',
    line: "'slice'",
    replacement: '""',
    reason: 'Only a turn and a rest are treated otherwise.'
  },
  {
    file: 'src/sandboxes/store.ts',
    line: 'if (key === undefined) return',
    replacement: 'false',
    reason: 'It spares rounds that would remove nothing.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'isOpen: () => draft !== undefined',
    replacement: 'true',
    reason: 'The first slice has nothing to tell, and no trial to abandon.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'if (sandbox.nextDue > now) {',
    replacement: 'false',
    reason: 'With nothing due, settling comes to the same time.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'if (sandbox.nextDue > now) {',
    replacement: '{}',
    reason: 'With nothing due, settling comes to the same time.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: "let place: Place = isLong ? 'slice' : 'turn'",
    replacement: '""',
    reason: 'Only a turn and a rest are treated otherwise.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'sandbox.version++',
    replacement: 'sandbox.version--',
    reason: 'These versions differ as well.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'hasShown = sandbox.shown !== sandbox.stored.shown',
    replacement: 'true',
    reason: 'It spares storing what is stored already.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'if (hasShown || sandbox.random !== random ||',
    replacement: 'true',
    reason: 'It spares storing what is stored already.'
  },
  {
    file: 'src/sandboxes/writer.ts',
    line: 'if (wasOpen || error !== refusal) this.#db.undoLog.abandon(',
    replacement: 'true',
    reason: 'It spares asking whether there is a trial to abandon.'
  }
]
