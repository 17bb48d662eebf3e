import type { Command, Flags } from '../command.js'

export const SHOW_FLAGS = {
  port: { value: 'PORT', help: 'Port on this machine. Default: a free one.' },
  html: { value: 'FILE', help: 'Write a page that opens without a server, and exit.' },
  from: { value: 'STEP', help: 'With --html: the first step. Default: 1.' },
  profile: { value: 'FILE', help: 'The profile that the server had.' }
} as const satisfies Flags

export const SHOW: Command = {
  usage: ['show FILE… [--port PORT]', 'show FILE --html OUT [--from STEP]'],
  about: `Shows recordings in a browser, read-only: every step, and the sandbox as it was
then. Prints the address of each; Ctrl+C stops it. With --html, writes a page
instead that opens from disk, for example as an artifact of a test run.`,
  flags: SHOW_FLAGS,
  examples: ['show run.svcmock', 'show run.svcmock --html run.html']
}
