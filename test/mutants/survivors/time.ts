import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
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
    file: 'src/lib/time.ts',
    line: 'if (text.length === 24) {',
    replacement: 'false',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'if (text.length === 24) {',
    replacement: '{}',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/lib/time.ts',
    line: 'if (!Number.isNaN(time) && toTimestamp(time) === text) return time',
    replacement: 'false',
    reason: 'It is the fast path; the other one gives the same.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'draw < from + ALIKE',
    replacement: 'draw <= from + ALIKE',
    reason: 'The one draw more gives an id that begins otherwise, so it is not the one that is looked for.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'const neighbours = places.get(place) ??',
    replacement: '+1',
    reason: 'A window begins at a multiple of 64, so it begins at neither.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'if (neighbours.seen === from) return 0',
    replacement: 'false',
    reason: 'It spares looking through a window again, which gives no more.'
  },
  {
    file: 'src/sim/random.ts',
    line: 'const start = Math.max(from, used + 1)',
    replacement: 'used - 1',
    reason: 'What is used up stays used up, so to find it again changes nothing.'
  }
]
