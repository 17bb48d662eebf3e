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
  }
]
