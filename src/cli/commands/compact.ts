import { OPTIONS } from '../../options.js'
import type { Command, Flags } from '../command.js'

const { default: file, env } = OPTIONS.db

export const COMPACT_FLAGS = {
  db: { value: 'FILE', help: `The file. Default: ${file}. Environment: ${env}.` }
} as const satisfies Flags

export const COMPACT: Command = {
  usage: ['compact [options]'],
  about: `Makes the file of a database as small as what is in it. No server may have it
open. It needs as much room on the disk again while it runs, and if it is
interrupted, the file is as it was.`,
  flags: COMPACT_FLAGS,
  examples: ['compact --db data/svc-mock.db'],
  exits: '0 done, 1 failed and the file is unchanged, 2 mistake in the command line.'
}
