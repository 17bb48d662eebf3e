import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/resources/schedules/times.ts',
    line: "if (hasNoDate(line)) readPattern(line, 'UTC')",
    replacement: 'true',
    reason: 'For other lines, the next statement reads the same pattern.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'const once = onceAt(',
    replacement: '``',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (once !== undefined) return once > after',
    replacement: 'false',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'function onceAt(',
    replacement: '{}',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'true',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'false',
    reason: 'A time that is undefined leads to no offset, either.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (local === undefined) return undefined',
    replacement: 'local !== undefined',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'return offset === undefined ? undefined : local - offset',
    replacement: 'true',
    reason: 'It is the fast path; the longer way, by a pattern, comes to the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.has(question))',
    replacement: 'false',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'true',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'false',
    reason: 'It bounds memory; the answers stay the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'known.size > MOST_KNOWN',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (known.size >= MOST_KNOWN) known.clear()',
    replacement: 'known.size < MOST_KNOWN',
    reason: 'What is known of answers and patterns only spares time.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'if (patterns.size >= MOST_PATTERNS)',
    replacement: 'false',
    reason: 'It bounds memory; the answers stay the same.'
  },
  {
    file: 'src/resources/schedules/times.ts',
    line: 'return next <= LAST_TIME &&',
    replacement: 'next < LAST_TIME',
    reason: 'The last time is no whole minute, and the next one is.'
  }
]
