import { didYouMean, nearest } from '../lib/nearest.js'
import { OPTIONS } from '../options.js'
import { parseCommandLine, type ParsedOptions, UsageError } from './usage.js'

/** A flag of a command. */
export interface Flag {
  /** Stands for its value in the help, or lists all valid ones, as `any|strict` does; absent for a switch. */
  readonly value?: string
  readonly help: string
  /** Its value if it is not given. */
  readonly default?: string
  /** Whether it can be given several times. */
  readonly isList?: boolean
}

export type Flags = Readonly<Record<string, Flag>>

/** The words that the value of a flag can be, if it lists them; none otherwise. */
export function wordsIn(value = ''): readonly string[] {
  return /^[a-z]+(?:\|[a-z]+)+$/.test(value) ? value.split('|') : []
}

/** A command of a command, such as `recording steps`. */
export interface Subcommand {
  /** Its name and its arguments. */
  readonly usage: string
  readonly help: string
  readonly flags?: Flags
}

/** A command of `svc-mock`. Its help and its completion follow. */
export interface Command {
  /** The ways to use it, without `svc-mock`. */
  readonly usage: readonly string[]
  readonly about: string
  readonly flags?: Flags
  readonly subcommands?: readonly Subcommand[]
  /** The options of a server that it takes, too, with the lines of the help about them. */
  readonly server?: { readonly options: readonly (keyof typeof OPTIONS)[]; readonly help: () => string }
  /** What stands below the options. */
  readonly notes?: string
  /** How it is used, without `svc-mock`. */
  readonly examples?: readonly string[]
  /** Its exit codes, in a sentence. */
  readonly exits?: string
  /** Makes the help for some words, where it depends on them. */
  readonly helpFor?: (args: readonly string[]) => string | Promise<string>
}

/** All options of a server. */
export const ALL_OPTIONS = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]

/** The help of a command. */
export function helpOf(command: Command): string {
  const { usage, about, flags, subcommands = [], server, notes, examples = [], exits } = command
  const all = { ...flags, ...Object.assign({}, ...subcommands.map((one) => one.flags)) } as Flags
  const options = Object.entries(all).map(([name, flag]) => flagHelp(name, flag, ownersOf(subcommands, name)))
  const hasFurther = server !== undefined && flags !== undefined
  return [
    `Usage: ${usage.map((one) => `svc-mock ${one}`).join('\n       ')}`,
    about,
    titled('Commands', subcommands.map(inColumns)),
    titled('Options', server !== undefined && flags === undefined ? [...options, server.help()] : options),
    hasFurther &&
      `Further options are those of the server: svc-mock ${usage[0]!.split(' ')[0]!} --help-server lists them.`,
    notes,
    titled(
      'Examples',
      examples.map((example) => `  svc-mock ${example}`)
    ),
    exits !== undefined && `Exit codes: ${exits}`
  ]
    .filter(Boolean)
    .join('\n\n')
}

const titled = (title: string, lines: readonly string[]) => lines.length > 0 && `${title}:\n${lines.join('\n')}`

const WIDTH = 34

const inColumns = ({ usage, help }: Subcommand) =>
  usage.length < WIDTH ? `  ${usage.padEnd(WIDTH)}${help}` : `  ${usage}\n${' '.repeat(WIDTH + 2)}${help}`

const nameOf = ({ usage }: Subcommand) => usage.split(' ')[0]!

/** The names of the subcommands that have a flag. */
const ownersOf = (subcommands: readonly Subcommand[], flag: string) =>
  subcommands.filter(({ flags = {} }) => flag in flags).map(nameOf)

/** A flag as a help lists it. @param owners the subcommands that have it; none if all do */
function flagHelp(name: string, { value, help, default: preset }: Flag, owners: readonly string[]): string {
  const text = [
    help,
    ...(preset === undefined ? [] : [`Default: ${preset}.`]),
    ...(owners.length === 0 ? [] : [`Of: ${owners.join(', ')}.`])
  ].join(' ')
  return `  --${name}${value === undefined ? '' : ` ${value}`}\n      ${text}`
}

/**
 * Reads a command line that calls a command of a command.
 * @param of that command
 * @throws {UsageError} naming the first thing that is wrong
 */
export function readSubcommand(of: string, subcommands: readonly Subcommand[], args: readonly string[]) {
  const all = Object.assign({}, ...subcommands.map(({ flags }) => flags)) as Flags
  const { values, positionals } = readFlags(all, args, true)
  const [name, ...rest] = positionals
  const names = subcommands.map(nameOf)
  if (name === undefined) throw new UsageError(`name a command of ${of}: ${names.join(', ')}`)
  const found = subcommands.find((one) => nameOf(one) === name)
  if (found === undefined) throw new UsageError(`there is no command ${of} ${name}${didYouMean(nearest(name, names))}`)
  const { usage, flags = {} } = found
  for (const flag of Object.keys(values))
    if (!(flag in flags)) throw new UsageError(`${of} ${name} has no option --${flag}`)
  if (rest.length !== usage.split(' ').length - 1 || rest.includes(''))
    throw new UsageError(`it is used as: ${of} ${usage}`)
  return { name, rest, values: values as Readonly<Record<string, string | undefined>> }
}

/** The values of flags, by their names. */
type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly isList: true }
    ? readonly string[]
    : F[Name] extends { readonly default: string }
      ? string
      : (F[Name] extends { readonly value: string } ? string : boolean) | undefined
}

/**
 * Reads the flags and the arguments of a command line.
 * @throws {UsageError} naming the first thing that is wrong
 */
export function readFlags<const F extends Flags>(
  flags: F,
  args: readonly string[],
  allowPositionals = false
): { readonly values: Values<F>; readonly positionals: readonly string[] } {
  const { values, positionals } = parseCommandLine(args, optionsOf(flags), { allowPositionals })
  return { values: withDefaults(flags, values), positionals }
}

/** The values of flags, those that are not given as well. */
export function withDefaults<F extends Flags>(flags: F, values: Readonly<Record<string, unknown>>): Values<F> {
  const presets = Object.entries(flags).map(([name, { isList, default: preset }]) => [name, isList ? [] : preset])
  const known = presets.filter(([, preset]) => preset !== undefined)
  return { ...(Object.fromEntries(known) as object), ...values } as Values<F>
}

/** Flags as `parseArgs()` wants them. */
export function optionsOf(flags: Flags): ParsedOptions {
  const own = Object.entries(flags).map(([name, { value, isList = false }]) => [
    name,
    value === undefined ? { type: 'boolean' } : { type: 'string', multiple: isList }
  ])
  return { ...(Object.fromEntries(own) as ParsedOptions), help: { type: 'boolean', short: 'h' } }
}
