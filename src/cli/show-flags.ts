import type { Flag } from './ctl-commands.js'

/** The options of the command. */
export const SHOW_FLAGS: Readonly<Record<string, Flag>> = {
  port: { value: 'PORT', help: 'Port on this machine. Default: a free one.' },
  html: { value: 'FILE', help: 'Write one page that opens without a server, and exit.' },
  from: { value: 'STEP', help: 'With --html: the first step. Default: 1.' },
  profile: { value: 'FILE', help: 'The profile that the server had.' }
}
