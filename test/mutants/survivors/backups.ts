import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/resources/backups/lifecycle.ts',
    line: '...(retries === undefined ? {} : { retries })',
    replacement: 'false',
    reason: 'JSON leaves out what is undefined; the distinction is for the compiler.'
  }
]
