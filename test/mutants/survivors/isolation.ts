import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/http/hooks/refuse-duplicate-headers.ts',
    line: 'if (name === undefined ||',
    replacement: 'false',
    reason: 'It spares comparing the name of a header with undefined, which it is not.'
  },
  {
    file: 'src/resources/stores.ts',
    line: 'if (workspace === undefined &&',
    replacement: 'true',
    reason: 'It spares a look for the workgroup: a workspace that is found has one.'
  }
]
