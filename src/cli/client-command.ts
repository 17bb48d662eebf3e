import { embeddedDefaults, OPTIONS, type Options, optionsHelp, readOptions } from '../options.js'
import { ALL_OPTIONS, type Flags, readFlags } from './command.js'
import { printError } from './print.js'
import { CLIENT_VARIABLES, type Environment, type Target, targetOf } from './target.js'
import { UsageError } from './usage.js'

// What the commands of svc-mock that run a client's command have in common: `svc-mock NAME [options] -- COMMAND …`.

/**
 * Splits a command line at `--`, and reads the options before it.
 * @param flags the options of the command besides those of the server
 * @param lacksCommand the message if there is nothing after `--`; undefined: there may be nothing
 * @throws {UsageError} naming the first thing that is wrong
 */
export function readClientCommand<const F extends Flags>(args: readonly string[], flags: F, lacksCommand?: string) {
  const end = args.indexOf('--')
  const { positionals, ...read } = readFlags(flags, end < 0 ? args : args.slice(0, end), {
    allowPositionals: true,
    server: ALL_OPTIONS
  })
  if (positionals.length > 0)
    throw new UsageError(`there is no argument ${positionals[0]} here; give the command after --`)
  const command: readonly string[] = end < 0 ? [] : args.slice(end + 1)
  if (command.length === 0 && lacksCommand !== undefined) throw new UsageError(lacksCommand)
  return { ...read, command }
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

/** Flags about a server that runs for a command, with their values. */
type ServerFlags = Readonly<Record<string, unknown>>

/** Reads the options of a server that runs for a command. */
export function serverOptions(flags: ServerFlags, env: Environment, defaults = embeddedDefaults()): Options {
  const unread: readonly string[] = ABOUT_ANOTHER.map((option) => OPTIONS[option].env)
  return readOptions(
    flags,
    Object.fromEntries(Object.entries(env).filter(([name]) => !unread.includes(name))),
    defaults
  )
}

/**
 * Reads which server a command is for.
 * @param isKeyInherited whether a variable may name the sandbox
 * @returns the server that runs already, if one is named
 */
export function readServer(
  { url, key, token }: Readonly<Record<'url' | 'key' | 'token', string | undefined>>,
  forServer: ServerFlags,
  env: Environment,
  isKeyInherited = false
): { readonly server: Target | undefined; readonly options: Options; readonly key: string | undefined } {
  const [first] = Object.keys(forServer)
  if (url !== undefined && first !== undefined)
    throw new UsageError(`--${first} is about a server of its own, and --url names another one`)
  if (url === undefined && token !== undefined) throw new UsageError('--token has a meaning only with --url')
  const inherited =
    url === undefined ? [] : isKeyInherited ? [CLIENT_VARIABLES.token, CLIENT_VARIABLES.key] : [CLIENT_VARIABLES.token]
  const named = targetOf(
    { url, key, token },
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
