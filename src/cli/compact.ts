import { compactDatabase } from '../db/compact.js'
import { OPTIONS } from '../options.js'
import { print } from './print.js'
import { asksForHelp, parseCommandLine } from './usage.js'

const { env, default: file } = OPTIONS.db

const HELP = `Usage: svc-mock compact [options]

Makes the file of a database as small as what is in it. No server may have it
open. It needs as much room on the disk again while it runs, and if it is
interrupted, the file is as it was.

Options:
  --db FILE
      The file. Default: ${file}. Environment: ${env}.

Example:
  svc-mock compact --db data/svc-mock.db

Exit codes: 0 done, 1 failed and the file is unchanged, 2 mistake in the command line.`

/** Shrinks a database file. @returns the exit code */
export async function compactCommand(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    print(HELP)
    return 0
  }
  const { db } = parseCommandLine({
    args,
    options: { db: { type: 'string', default: process.env[env] ?? file }, help: { type: 'boolean', short: 'h' } }
  }).values
  const { before, after } = compactDatabase(db, (size) => {
    print(`${db}: ${size} bytes, compacting …`)
  })
  print(`${db}: ${after} bytes, ${Math.max(0, before - after)} fewer than before`)
  return 0
}
