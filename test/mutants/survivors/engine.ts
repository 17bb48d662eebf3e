import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
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
    file: 'src/sim/engine.ts',
    line: "if (isEnough?.(event) === true) return 'enough'",
    replacement: '""',
    reason: 'Nothing asks for it: what is neither done, limited nor out of time has had enough.'
  },
  {
    file: 'src/sim/engine.ts',
    line: '#transitionKinds: string[] = []',
    replacement: '["Stryker was here"]',
    reason: 'No event has this kind.'
  },
  {
    file: 'src/sim/rule-document.ts',
    line: 'after: after === undefined ? null : toIsoDuration(after)',
    replacement: 'false',
    reason: 'An absent duration comes back as it is, and is stored as null, too.'
  },
  {
    file: 'src/sim/rules.ts',
    line: 'if (this.#any.get(sandbox) === undefined) return undefined',
    replacement: 'false',
    reason: 'It spares two statements, which would find nothing.'
  },
  {
    file: 'src/sim/timeline.ts',
    line: 'if (this.#counts.size >= MOST_KNOWN) this.#counts.clear()',
    replacement: 'this.#counts.size > MOST_KNOWN',
    reason: 'A count that is known only spares counting, and takes up little.'
  },
  {
    file: 'src/sim/timeline.ts',
    line: 'if (this.#counts.size >= MOST_KNOWN) this.#counts.clear()',
    replacement: 'this.#counts.size < MOST_KNOWN',
    reason: 'A count that is known only spares counting, and takes up little.'
  }
]
