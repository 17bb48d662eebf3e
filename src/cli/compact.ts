import { compactDatabase } from '../node/compact.js'
import { OPTIONS } from '../options.js'
import { readFlags } from './command.js'
import { COMPACT_FLAGS } from './commands/compact.js'
import { print } from './print.js'

/** Shrinks a database file. @returns the exit code */
export async function compactCommand(args: string[]): Promise<number> {
  const { db = process.env[OPTIONS.db.env] ?? OPTIONS.db.default } = readFlags(COMPACT_FLAGS, args).values
  const { before, after } = compactDatabase(db, (size) => print(`${db}: ${size} bytes, compacting …`))
  print(`${db}: ${after} bytes, ${Math.max(0, before - after)} fewer than before`)
  return 0
}
