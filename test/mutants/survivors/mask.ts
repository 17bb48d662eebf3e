import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
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
  }
]
