import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/http/credentials.ts',
    line: 'if (authorization !== undefined) {',
    replacement: 'true',
    reason: 'What is undefined is no session; the condition is for the compiler.'
  },
  {
    file: 'src/http/credentials.ts',
    line: 'const secret = /^Bearer',
    replacement: '/^Bearer +(\\S.*)/i',
    reason: 'A header has no line break, so the rest of it is all of it.'
  },
  {
    file: 'src/http/credentials.ts',
    line: "return { kind: 'session', secret }",
    replacement: '""',
    reason: 'A kind is only compared with that of API keys.'
  }
]
