import { OPTIONS } from '../options.js'
import { type Command, type Flags, readFlags } from './command.js'
import { print } from './print.js'

const { default: usual, env } = OPTIONS.db

const COMPACT_FLAGS = {
  db: { value: 'FILE', help: `The file. Default: ${usual}. Environment: ${env}.` }
} as const satisfies Flags

export const COMPACT: Command = {
  usage: ['compact [options]'],
  about: `Shrinks the file of a database to the size of its contents. No server may have it
open. Meanwhile, it needs as much disk space again. If it is interrupted, the file
stays as it was.`,
  flags: COMPACT_FLAGS,
  examples: ['compact --db data/svc-mock.db'],
  exits: '0 done, 1 failed and the file is unchanged, 2 usage error.'
}

/** Shrinks a database file. @returns the exit code */
export async function compactCommand(args: string[]): Promise<number> {
  const { db = process.env[env] ?? usual } = readFlags(COMPACT_FLAGS, args).values
  const { compactDatabase } = await import('../node/compact.js')
  const { before, after } = compactDatabase(db)
  print(`${db}: ${after} bytes, ${Math.max(0, before - after)} fewer than before`)
  return 0
}
