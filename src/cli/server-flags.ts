import { OPTIONS, type Options, readOptions } from '../options.js'
import { type Flags, optionsOf, withDefaults } from './command.js'
import type { Environment } from './target.js'
import { parseCommandLine, type ParsedOptions } from './usage.js'

/** The flags of a server, as `parseArgs()` wants them. */
export const SERVER_FLAGS: ParsedOptions = Object.fromEntries(
  Object.values(OPTIONS).map(({ flag, default: value, ...rest }) => [
    flag.slice(2),
    'placeholder' in rest ? { type: 'string', multiple: Array.isArray(value) } : { type: 'boolean', hasWords: true }
  ])
)

/** The options of a server that is run by itself. @throws {UsageError | OptionError} naming the first that is wrong */
export function readServeOptions(args: readonly string[], env: Environment): Options {
  return readOptions(parseCommandLine(args, SERVER_FLAGS).values, env)
}

/** Reads flags, some of them about a server. @throws {UsageError} naming the first thing that is wrong */
export function readServerFlags<const F extends Flags>(
  args: readonly string[],
  flags: F,
  allowPositionals = false,
  serverFlags = SERVER_FLAGS
) {
  const all = { ...serverFlags, ...optionsOf(flags) }
  const { values, positionals } = parseCommandLine(args, all, { allowPositionals })
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(flags, name)
  const entries = Object.entries(values)
  return {
    values: withDefaults(flags, Object.fromEntries(entries.filter(isOwn))),
    positionals,
    /** Those about the server. */
    forServer: Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  }
}
