import { parseArgs, type ParseArgsConfig } from 'node:util'
import { didYouMean, nearest } from '../lib/nearest.js'
import { type OptionName, OPTIONS } from '../options.js'
import { UsageError } from './usage.js'

export interface Flag {
  /** A placeholder for the help, or all valid values, as in `any|strict`; absent for a switch. */
  readonly value?: string
  readonly help: string
  readonly default?: string
  /** Whether it is repeatable. */
  readonly isList?: boolean
  /** Whether the switch also accepts `=true` and `=false`. */
  readonly hasWords?: boolean
}

export type Flags = Readonly<Record<string, Flag>>

/** The valid values that a placeholder lists, if it does. */
export function wordsIn(value = ''): readonly string[] {
  return /^[a-z]+(?:\|[a-z]+)+$/.test(value) ? value.split('|') : []
}

/** Such as `recording steps`. */
export interface Subcommand {
  /** Its name and its arguments. */
  readonly usage: string
  readonly help: string
  /** `readSubcommand()` applies no defaults. */
  readonly flags?: Flags
}

/** A command of `svc-mock`, from which its help and its completion follow. Usage and examples omit `svc-mock`. */
export interface Command {
  readonly usage: readonly string[]
  readonly about: string
  readonly flags?: Flags
  readonly subcommands?: readonly Subcommand[]
  /** The server options that it also accepts, and the part of the help about them. */
  readonly server?: { readonly options: readonly OptionName[]; readonly help: () => string }
  /** Shown below the options. */
  readonly notes?: string
  readonly examples?: readonly string[]
  readonly exits?: string
  /** Makes the help, if it depends on the arguments. */
  readonly helpFor?: (args: readonly string[]) => string | Promise<string>
}

export const ALL_OPTIONS = Object.keys(OPTIONS) as OptionName[]

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
    hasFurther && `'svc-mock ${usage[0]!.split(' ')[0]!} --help-server' lists the options of its server.`,
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

/** The words of a subcommand's name, without its arguments. */
export const commandNameOf = ({ usage }: Subcommand) => usage.split(' ').filter((word) => /^[a-z]/.test(word))

const nameOf = (subcommand: Subcommand) => commandNameOf(subcommand).join(' ')

/** The subcommand that the words begin with; of several, the one with the longest name. */
export function calledBy<T extends Subcommand>(words: readonly string[], subcommands: readonly T[]): T | undefined {
  return subcommands
    .filter((one) => commandNameOf(one).every((word, index) => words[index] === word))
    .sort((a, b) => commandNameOf(b).length - commandNameOf(a).length)[0]
}

const ownersOf = (subcommands: readonly Subcommand[], flag: string) =>
  subcommands.filter(({ flags = {} }) => flag in flags).map(nameOf)

/** @param owners the subcommands that have the flag; empty if all do */
function flagHelp(name: string, { value, help, default: preset }: Flag, owners: readonly string[]): string {
  const text = [
    help,
    ...(preset === undefined ? [] : [`Default: ${preset}.`]),
    ...(owners.length === 0 ? [] : [`Of: ${owners.join(', ')}.`])
  ].join(' ')
  return `  --${name}${value === undefined ? '' : ` ${value}`}\n      ${text}`
}

/**
 * Reads a command line that calls a subcommand.
 * @param of the name of the command
 * @param common the flags that all subcommands have
 * @throws {UsageError} for the first problem
 */
export function readSubcommand<T extends Subcommand>(
  of: string,
  subcommands: readonly T[],
  args: readonly string[],
  common: Flags = {}
) {
  const all = Object.assign({}, ...subcommands.map(({ flags }) => flags), common) as Flags
  const { values, positionals } = parseFlags(all, args, true)
  if (positionals.length === 0) throw new UsageError(`name a command of ${of}`)
  const names = subcommands.map(nameOf)
  const given = positionals.slice(0, 2).join(' ')
  const meant = nearest(given, names)
  const command = calledBy(positionals, subcommands)
  if (command === undefined)
    throw new UsageError(`there is no command ${of} ${given}${didYouMean(meant ?? nearest(positionals[0]!, names))}`)
  const { usage, flags = {} } = command
  const name = nameOf(command)
  for (const flag of Object.keys(values))
    if (!(flag in flags || flag in common))
      throw new UsageError(`${of} ${name} has no option --${flag}${meant === name ? '' : didYouMean(meant)}`)
  const rest = positionals.slice(commandNameOf(command).length)
  const wanted = usage.split(' ').slice(commandNameOf(command).length)
  const least = wanted.filter((argument) => !argument.startsWith('[')).length
  if (rest.length < least || rest.length > wanted.length || rest.some((argument) => argument.trim() === ''))
    throw new UsageError(`usage: ${of} ${usage}${meant === name ? '' : didYouMean(meant)}`)
  return { command, name, rest, values: values as Readonly<Record<string, string | undefined>> }
}

type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly isList: true }
    ? readonly string[]
    : F[Name] extends { readonly default: string }
      ? string
      : (F[Name] extends { readonly value: string } ? string : boolean) | undefined
}

/**
 * Reads the flags and the arguments of a command line.
 * @param server the server options that are also accepted
 * @throws {UsageError} for the first problem
 */
export function readFlags<const F extends Flags>(
  flags: F,
  args: readonly string[],
  { allowPositionals = false, server = [] as readonly OptionName[] } = {}
) {
  const { values, positionals } = parseFlags({ ...serverFlags(server), ...flags }, args, allowPositionals)
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(flags, name)
  const entries = Object.entries(values)
  const presets = Object.entries(flags).flatMap(([name, { isList = false, default: preset }]) => {
    if (isList) return [[name, []]]
    return preset === undefined ? [] : [[name, preset]]
  })
  return {
    values: Object.fromEntries([...presets, ...entries.filter(isOwn)]) as Values<F>,
    positionals,
    forServer: Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  }
}

export function serverFlags(names: readonly OptionName[]): Flags {
  const flags = names.map((name): [string, Flag] => {
    const option = OPTIONS[name]
    const { flag, help } = option
    if (!('placeholder' in option)) return [flag.slice(2), { help, hasWords: true }]
    return [flag.slice(2), { help, value: option.placeholder, isList: Array.isArray(option.default) }]
  })
  return Object.fromEntries(flags)
}

function optionsOf(flags: Flags): NonNullable<ParseArgsConfig['options']> {
  const options = Object.entries(flags).map(([name, { value, isList = false }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: isList }] as const
  })
  return Object.fromEntries(options)
}

/** Node's `parseArgs()`, with our own messages. @throws {UsageError} that never shows the value of a flag */
function parseFlags(flags: Flags, args: readonly string[], allowPositionals: boolean) {
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options: optionsOf(flags),
    strict: false,
    tokens: true
  })
  for (const token of tokens) {
    if (token.kind === 'option') checkFlag(token, flags)
    else if (token.kind === 'positional' && !allowPositionals)
      // A key may follow the equals sign.
      throw new UsageError(`unexpected argument ${token.value.split('=', 1)[0]}; only options are accepted`)
  }
  return { values, positionals }
}

/** A flag, as `parseArgs()` describes it. */
interface Token {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function checkFlag({ name, rawName, value, inlineValue }: Token, flags: Flags): void {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined && name !== 'help') {
    const found = nearest(name, [...Object.keys(flags), 'help'])
    throw new UsageError(`there is no option ${rawName}${didYouMean(found && `--${found}`)}`)
  }
  if (flag?.value === undefined) {
    if (value !== undefined && flag?.hasWords !== true) throw new UsageError(`${rawName} takes no value`)
  } else if (value === undefined) {
    throw new UsageError(`${rawName} needs a value`)
  } else if (inlineValue !== true && /^-\D/.test(value)) {
    // Probably the next option. A negative number is a value, though a wrong one.
    throw new UsageError(`${rawName} needs a value; if it begins with a hyphen, write ${rawName}=VALUE`)
  }
}
