import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/http/interface/workgroups.ts',
    line: 'if (isTimeUp()) yield',
    replacement: 'true',
    reason: 'It only gives others their turn sooner or later.'
  },
  {
    file: 'src/http/interface/workgroups.ts',
    line: 'if (isTimeUp()) yield',
    replacement: 'false',
    reason: 'It only gives others their turn sooner or later.'
  }
]
