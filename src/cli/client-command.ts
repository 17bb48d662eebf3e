import { embeddedDefaults, OptionError, OPTIONS, type Options, optionsHelp, readOptions } from '../options.js'
import { type Flags, optionsOf, withDefaults } from './command.js'
import { given } from './ctl-arguments.js'
import { printError } from './print.js'
import { SERVER_FLAGS } from './server-flags.js'
import { CLIENT_VARIABLES, type Environment, type Target, targetOf } from './target.js'
import { parseCommandLine, UsageError } from './usage.js'

// What the commands of svc-mock that run a client's command have in common: `svc-mock NAME [options] -- COMMAND …`.

/** A command line in its parts. */
interface ClientCommandLine {
  readonly values: Readonly<Record<string, unknown>>
  /** The options that are about the server, with their values. */
  readonly forServer: readonly (readonly [string, unknown])[]
  readonly command: readonly string[]
}

/**
 * Splits a command line at `--`, and reads the options before it.
 * @param flags the options of the command besides those of the server
 * @param lacksCommand the message if there is nothing after `--`; undefined: there may be nothing
 * @throws {UsageError} naming the first thing that is wrong
 */
export function readClientCommand(args: readonly string[], flags: Flags, lacksCommand?: string): ClientCommandLine {
  const end = args.indexOf('--')
  const { positionals, ...read } = readServerFlags(end < 0 ? args : args.slice(0, end), flags, true)
  if (positionals.length > 0)
    throw new UsageError(`there is no argument ${positionals[0]} here; give the command after --`)
  const command = end < 0 ? [] : args.slice(end + 1)
  if (command.length === 0 && lacksCommand !== undefined) throw new UsageError(lacksCommand)
  return { ...read, command }
}

/** Reads options, some of them for a server. @throws {UsageError} naming the first thing that is wrong */
export function readServerFlags(args: readonly string[], flags: Flags, allowPositionals = false) {
  const options = { ...SERVER_FLAGS, ...optionsOf(flags) }
  const { values, positionals } = parseCommandLine({
    args: [...args],
    options,
    // Its default is not the same as false.
    ...(allowPositionals ? { allowPositionals } : {})
  })
  return {
    values: withDefaults(flags, values),
    positionals,
    forServer: Object.entries(values).filter(
      ([name]) => Object.hasOwn(SERVER_FLAGS, name) && !Object.hasOwn(flags, name)
    )
  }
}

/** Options whose variables are about a server that is left running, not about this one. */
const ABOUT_ANOTHER = ['host', 'port', 'db', 'logLevel'] as const

/** Says which variables have no meaning for a server that runs for a command. */
export function tellIgnored(env: Environment): void {
  const names = ABOUT_ANOTHER.map((option) => OPTIONS[option].env).filter((name) => env[name] !== undefined)
  if (names.length > 0)
    printError(`svc-mock: ignored, because this server is one of its own: ${names.join(', ')}; use options instead`)
}

/** The options of a server that runs for a command, as its help lists them. @param except flags of its own */
export function serverOptionsHelp(except: readonly string[], defaults = embeddedDefaults()): string {
  return optionsHelp({ defaults, except, unread: ABOUT_ANOTHER })
}

/**
 * Reads the options of a server that runs for a command.
 * @param forServer the flags that are about it, with their values
 */
export function serverOptions(
  forServer: readonly (readonly [string, unknown])[],
  env: Environment,
  defaults = embeddedDefaults()
): Options {
  const flags = forServer.flatMap(([name, value]) =>
    [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${one as string}`))
  )
  const variables = Object.fromEntries(
    Object.entries(env).filter(([name]) => !ABOUT_ANOTHER.some((option) => OPTIONS[option].env === name))
  )
  try {
    return readOptions(flags, variables, defaults)
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(error.message) : error
  }
}

/**
 * Reads which server a command is for.
 * @param isKeyInherited whether a variable may name the sandbox
 * @returns the server that runs already, if one is named
 */
export function readServer(
  values: Readonly<Record<string, unknown>>,
  forServer: readonly (readonly [string, unknown])[],
  env: Environment,
  isKeyInherited = false
): { readonly server: Target | undefined; readonly options: Options; readonly key: string | undefined } {
  const { url, key, token } = values as Record<string, string | undefined>
  if (url !== undefined && forServer.length > 0)
    throw new UsageError(`--${forServer[0]![0]} is about a server of its own, and --url names another one`)
  if (url === undefined && token !== undefined) throw new UsageError('--token has a meaning only with --url')
  const inherited =
    url === undefined ? [] : isKeyInherited ? [CLIENT_VARIABLES.token, CLIENT_VARIABLES.key] : [CLIENT_VARIABLES.token]
  const named = targetOf(
    given({ url, key, token }),
    Object.fromEntries(inherited.map((variable) => [variable, env[variable]]))
  )
  const options = serverOptions(forServer, env)
  if (key !== undefined && url === undefined && options.auth === 'off')
    throw new UsageError('--key has no meaning with --auth off')
  return { server: url === undefined ? undefined : named, options, key: named.key }
}

/** Reads a variable for a command. */
export function variable(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new UsageError('--env must have the form NAME=VALUE')
  return [name, value!]
}
