import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
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
    file: 'src/journal/change-capture.ts',
    line: '#fired: Fired[] = []',
    replacement: '["Stryker was here"]',
    reason: 'Each write replaces it before anything fires.'
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
    file: 'src/journal/coverage.ts',
    line: 'if (shared === undefined) edgeNames.set',
    replacement: 'true',
    reason: 'The names that are kept only spare memory.'
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
    file: 'src/journal/journal.ts',
    line: 'record.request = !isOmitted && body > LARGE_BODY',
    replacement: 'body >= LARGE_BODY',
    reason: 'A body is shown the same, whether it is kept as text or not.'
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
  }
]
