import { parseArgs } from 'node:util'
import { didYouMean, nearest } from '../lib/nearest.js'

/** The command line is wrong. The message is one line for the user. */
export class UsageError extends Error {
  /** The command whose help says more, such as `ctl clock set`; absent: the one that was called. */
  command?: string
}

/** The default address of a server. */
export const DEFAULT_URL = 'http://127.0.0.1:4700'

/** Whether a command line has one of the flags, such as `--help` and `-h`. What follows `--` is none. */
export function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => flags.includes(arg))
}

/** Whether a command line asks for help. */
export function asksForHelp(args: readonly string[]): boolean {
  return hasFlag(args, '-h', '--help')
}

/** Options as `parseArgs()` wants them. A switch that has words can be `=false`, too. */
export interface ParsedOptions {
  readonly [name: string]: {
    readonly type: 'string' | 'boolean'
    readonly multiple?: boolean
    readonly short?: string
    readonly hasWords?: boolean
  }
}

interface CommandLine {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

/**
 * Node's `parseArgs()`, with messages in our own words.
 * @param meant names of the options to suggest for one that does not exist
 * @throws {UsageError} that never shows the value of an option
 */
export function parseCommandLine(
  args: readonly string[],
  options: ParsedOptions,
  {
    allowPositionals = false,
    meant = Object.keys(options)
  }: { allowPositionals?: boolean; meant?: readonly string[] } = {}
): CommandLine {
  const { tokens, values, positionals } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  const names: string[] = []
  for (const token of tokens) {
    if (token.kind === 'option') {
      checkOption(token, options, meant)
      names.push(token.name)
    } else if (token.kind === 'positional' && !allowPositionals) {
      // After an equals sign, it may be a key.
      const word = token.value.split('=', 1)[0]!
      throw new UsageError(`there is no argument ${word} here; only options can be given`)
    }
  }
  for (const [name, { type, multiple = false }] of Object.entries(options)) {
    const times = names.filter((other) => other === name).length
    if (type === 'string' && !multiple && times > 1) throw new UsageError(`--${name} was given ${times} times`)
  }
  return { values, positionals }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkOption(
  { name, rawName, value, inlineValue }: OptionToken,
  options: ParsedOptions,
  meant: readonly string[]
) {
  const option = Object.hasOwn(options, name) ? options[name] : undefined
  if (option === undefined) {
    const found = nearest(name, meant)
    throw new UsageError(`there is no option ${rawName}${didYouMean(found && `--${found}`)}`)
  }
  if (option.type === 'boolean') {
    if (value !== undefined && option.hasWords !== true) throw new UsageError(`${rawName} takes no value`)
  } else if (value === undefined) {
    throw new UsageError(`${rawName} needs a value`)
  } else if (inlineValue !== true && /^-\D/.test(value)) {
    // It is rather the next option. A negative number is a value, if a wrong one.
    throw new UsageError(`${rawName} needs a value; one that begins with a hyphen is given as ${rawName}=VALUE`)
  }
}

/**
 * Checks the address of a server.
 * @param source the flag or the variable that it comes from
 * @throws {UsageError} if it cannot be one
 */
export function checkUrl(url: string, source = '--url'): void {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`${source} must be an http URL, but is ${url}`)
  const { pathname, search, hash, origin } = new URL(url)
  if (pathname + search + hash !== '/')
    throw new UsageError(`${source} must be the address of a server without a path, such as ${origin}, but is ${url}`)
}
