/** A mutant that no test notices, and why that is right. */
export interface Survivor {
  readonly file: string
  /** A part of the line that it changes. */
  readonly line: string
  /** What stands there instead. */
  readonly replacement: string
  readonly reason: string
}

/** Every mutant that is known to survive. */
export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'src/journal/mask.ts',
    line: 'if (answer === undefined) {',
    replacement: 'true',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'true',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'false',
    reason: 'It bounds memory by some kilobytes for each unusual name; what is masked stays the same.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'known.size > KNOWN_LIMIT',
    reason: 'One name more or less is kept.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'if (known.size >= KNOWN_LIMIT) known.clear()',
    replacement: 'known.size < KNOWN_LIMIT',
    reason: 'What is known of names only spares time.'
  },
  {
    file: 'src/journal/mask.ts',
    line: 'for (let i = 0; i < items.length; i++) {',
    replacement: 'i <= items.length',
    reason: 'Behind the last item there is undefined, which stays as it is.'
  },
  {
    file: 'src/journal/mask.ts',
    line: "return text.includes('://') ?",
    replacement: '""',
    reason: 'It spares looking for a pattern that is not there.'
  },
  {
    file: 'src/journal/change-capture.ts',
    line: 'notes.own = notes.own.length === 0',
    replacement: 'false',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/change-capture.ts',
    line: 'if (eventHub.isOn) this.#tell',
    replacement: 'true',
    reason: 'It spares putting together what a hub that is off ignores.'
  },
  {
    file: 'src/journal/coverage.ts',
    line: 'if (names === undefined) statusNames.set',
    replacement: 'true',
    reason: 'The names that are kept only spare time.'
  },
  {
    file: 'src/journal/coverage.ts',
    line: 'if (name === undefined) names.set',
    replacement: 'true',
    reason: 'The names that are kept only spare time.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'const [, run, count] =',
    replacement: '"Stryker was here!"',
    reason: 'That is no id, either.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'const [, run, count] =',
    replacement: '["Stryker was here"]',
    reason: 'It has no second item, either.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (run === undefined ||',
    replacement: 'false',
    reason: 'What is not a number is no run.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (this.#present !== undefined && this.#listeners.size === 0',
    replacement: 'true',
    reason: 'To turn off what is off changes nothing.'
  },
  {
    file: 'src/journal/event-hub.ts',
    line: 'if (this.#listeners.delete(listener) && this.#listeners.size === 0)',
    replacement: 'true',
    reason: 'When somebody left counts only once nobody listens, and then the last one has left.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'return body === call.body ? request',
    replacement: 'false',
    reason: 'A copy of the request is the same request.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '#ring: (OpenRecord | undefined)[] = []',
    replacement: '["Stryker was here"]',
    reason: 'A place in the ring is read only after a record was put there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'this.#ring = []',
    replacement: '["Stryker was here"]',
    reason: 'A place in the ring is read only after a record was put there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const body = call.body === undefined ? 0',
    replacement: 'false',
    reason: 'What is undefined takes up nothing.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const kept = changes.length <= NOTE_LIMIT',
    replacement: 'false',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const kept = changes.length <= NOTE_LIMIT',
    replacement: 'changes.length < NOTE_LIMIT',
    reason: 'A copy of the list is the same list.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '&& this.#oldest < this.#next) this.#dropOldest()',
    replacement: 'true',
    reason: 'Without records there are no bytes.'
  },
  {
    file: 'src/journal/journal.ts',
    line: '&& this.#oldest < this.#next) this.#dropOldest()',
    replacement: 'this.#oldest <= this.#next',
    reason: 'Without records there are no bytes.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'if (oldest.notes !== NO_NOTES &&',
    replacement: 'true',
    reason: 'It spares looking for a record that is not there.'
  },
  {
    file: 'src/journal/journal.ts',
    line: 'const event = fired === undefined ? 0',
    replacement: 'false',
    reason: 'What is undefined takes up nothing.'
  },
  {
    file: 'src/journal/size.ts',
    line: 'if (size <= enough) for (const element of item)',
    replacement: 'true',
    reason: 'The loop ends before it comes to the items; not to queue them spares time.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'value === null || schemas.some(isAny)',
    replacement: 'false',
    reason: 'null has no fields to go through.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'const found = named($ref.replace(',
    replacement: '/#/',
    reason: 'A name has one # only, at its end.'
  },
  {
    file: 'src/journal/unread.ts',
    line: 'return parts.length === 0 ? [schema]',
    replacement: 'false',
    reason: 'Without parts the other way gives the same list.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'const result = Date.parse(',
    replacement: 'fraction',
    reason: 'Node cuts further decimals off as well, though the language does not promise it.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'const result = Date.parse(',
    replacement: 'offset.toLowerCase()',
    reason: 'Node reads `z` as `Z`, though the language does not promise it.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'draw < from + ALIKE',
    replacement: 'draw <= from + ALIKE',
    reason: 'The one draw more gives an id that begins otherwise, so it is not the one that is looked for.'
  },
  {
    file: 'src/sim/engine.ts',
    line: 'if (sandbox.nextDue > now) return',
    replacement: 'false',
    reason: 'It spares a question to the database, which would find nothing.'
  },
  {
    file: 'src/sim/engine.ts',
    line: "if (clock.mode !== 'real') return",
    replacement: 'false',
    reason:
      'The longer way comes to the same for a clock that stands, and what it keeps is forgotten when the clock is set.'
  },
  {
    file: 'src/sim/rules.ts',
    line: 'rule.times !== null',
    replacement: 'true',
    reason: 'It spares two statements: counting down from always is always.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'transition.name === WORKSPACE_TRANSITIONS.resize.name',
    replacement: 'true',
    reason: 'What is noted of the other transitions has no size, and what else it has is no column of a workspace.'
  },
  {
    file: 'src/resources/workspaces/lifecycle.ts',
    line: 'if (isActive) this.#planAutoStop(tx, next)',
    replacement: 'true',
    reason:
      'It spares a statement: in another state no auto-stop is planned, and one that was is gone since the ' +
      'transition began.'
  },
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
