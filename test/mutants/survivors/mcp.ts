import type { Survivor } from '../survivors.js'

export const survivors: readonly Survivor[] = [
  {
    file: 'src/mcp/prompts.ts',
    line: "{ client = '', framework =",
    replacement: '"Stryker was here!"',
    reason: 'The server asks for what is required first; the default is for the compiler.'
  },
  {
    file: 'src/mcp/prompts.ts',
    line: "textOf: ({ failure = '', key }, url) =>",
    replacement: '"Stryker was here!"',
    reason: 'The server asks for what is required first; the default is for the compiler.'
  },
  {
    file: 'src/mcp/resources.ts',
    line: "readFile(PLACEHOLDERS, 'utf8')",
    replacement: '""',
    reason: 'Only a built package has the document; a test of the command reads it there.'
  },
  {
    file: 'src/mcp/resources.ts',
    line: "readFile(PLACEHOLDERS, 'utf8')",
    replacement: '{}',
    reason: 'Only a built package has the document; a test of the command reads it there.'
  },
  {
    file: 'src/mcp/tools/sandbox.ts',
    line: "await call.send({ method: 'GET', path: '/_mock/clock' })",
    replacement: '""',
    reason: 'Every reply has a RequestID, whatever was asked for.'
  }
]
