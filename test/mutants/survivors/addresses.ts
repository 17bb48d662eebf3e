import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/lib/ip.ts',
    line: "const [address = '', prefixText, ...rest] = text.split('/')",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/ip.ts',
    line: "const address = text.split('%')[0] ?? ''",
    replacement: '"Stryker was here!"',
    reason: 'A split text has a first part; the default is for the compiler.'
  },
  {
    file: 'src/lib/ip.ts',
    line: 'const [, inBrackets, withPort] =',
    replacement: '["Stryker was here"]',
    reason: 'The first item is not looked at.'
  },
  {
    file: 'src/lib/ip.ts',
    line: '? address.replace(/(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/',
    replacement: '/(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)/',
    reason: 'What follows would be no address, and that was found before.'
  }
]
