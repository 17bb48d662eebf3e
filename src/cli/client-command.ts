import { embeddedDefaults, OPTIONS, type Options, optionsHelp, readOptions } from '../options.js'
import { ALL_OPTIONS, type Flags, readFlags } from './command.js'
import { printError } from './print.js'
import { CLIENT_VARIABLES, type Environment, type Target, targetOf } from './target.js'
import { UsageError } from './usage.js'

// Common parts of the commands that run a client with a server of their own: `svc-mock NAME [options] -- COMMAND …`.

/**
 * Splits a command line at `--`, and reads the options before it.
 * @param flags the command's own options; it also accepts those of the server
 * @throws {UsageError} for the first problem
 */
export function readClientCommand<const F extends Flags>(args: readonly string[], flags: F) {
  const end = args.indexOf('--')
  const { positionals, ...read } = readFlags(flags, end < 0 ? args : args.slice(0, end), {
    allowPositionals: true,
    server: ALL_OPTIONS
  })
  if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals[0]}; give the command after --`)
  const command: readonly string[] = end < 0 ? [] : args.slice(end + 1)
  return { ...read, command }
}

/** Options whose variables are meant for a permanent server, so a command's own server ignores them. */
const UNREAD = ['host', 'port', 'db', 'logLevel'] as const
const UNREAD_VARIABLES: readonly string[] = UNREAD.map((option) => OPTIONS[option].env)

/** Warns of variables that a command's own server ignores. */
export function tellIgnored(env: Environment): void {
  const names = UNREAD_VARIABLES.filter((name) => env[name] !== undefined)
  if (names.length > 0)
    printError(`svc-mock: this server is temporary, so it ignores ${names.join(', ')}; use options instead`)
}

/** The server options as the help of a command lists them. @param except the command's own flags */
export function serverOptionsHelp(except: readonly string[], defaults = embeddedDefaults()): string {
  return optionsHelp({ defaults, except, unread: UNREAD })
}

type ServerFlags = Readonly<Record<string, unknown>>

/** Reads the options of a command's own server. */
export function serverOptions(flags: ServerFlags, env: Environment, defaults = embeddedDefaults()): Options {
  const read = Object.fromEntries(Object.entries(env).filter(([name]) => !UNREAD_VARIABLES.includes(name)))
  return readOptions(flags, read, defaults)
}

/**
 * Reads which server a command uses: its own, or the running one that `--url` names.
 * @param isKeyInherited whether the environment may name the sandbox of a running server
 */
export function readServer(
  { url, key, token }: Readonly<Record<'url' | 'key' | 'token', string | undefined>>,
  forServer: ServerFlags,
  env: Environment,
  isKeyInherited = false
): { readonly server: Target | undefined; readonly options: Options; readonly key: string | undefined } {
  const [first] = Object.keys(forServer)
  if (url !== undefined && first !== undefined)
    throw new UsageError(`--${first} configures a server of its own, but --url names a running one`)
  if (url === undefined && token !== undefined) throw new UsageError('--token needs --url')
  const inherited =
    url === undefined ? [] : isKeyInherited ? [CLIENT_VARIABLES.token, CLIENT_VARIABLES.key] : [CLIENT_VARIABLES.token]
  const target = targetOf({ url, key, token }, Object.fromEntries(inherited.map((name) => [name, env[name]])))
  const options = serverOptions(forServer, env)
  if (key !== undefined && url === undefined && options.auth === 'off')
    throw new UsageError('--key cannot be combined with --auth off')
  return { server: url === undefined ? undefined : target, options, key: target.key }
}

/** Puts values in the place of placeholders such as `{url}`. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  const fill = (filled: string, [name, value]: readonly [string, string]) => filled.replaceAll(`{${name}}`, () => value)
  return Object.entries(values).reduce(fill, text)
}

/** Reads a value of `--env`. */
export function variable(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new UsageError('--env must have the form NAME=VALUE')
  return [name, value!]
}
