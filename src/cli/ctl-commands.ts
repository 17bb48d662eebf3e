import { fillPath, queryText } from '../lib/fill-path.js'
import type { FlagFace, TableFace } from '../test-control/control-call.js'
import { type Flag, type Subcommand, wordsIn } from './command.js'
import { documentOf, type Flags, given, jsonOf, type NamedDocument, untilOf, valueOf } from './ctl-arguments.js'
import type { ControlCall } from './ctl-call.js'
import { COMMAND_CALLS, type CommandCall } from './ctl-calls.js'
import { CELLS } from './ctl-cells.js'
import type { RequestFilter } from './ctl-follow.js'
import { type Check, checkOperations, CHECKS, checkValue, oneOf, someOf } from './ctl-values.js'
import type { Table } from './table.js'
import { UsageError } from './usage.js'

/** What a command does. */
interface PreparedCall extends ControlCall {
  /** File to write the result to, instead of standard output. */
  readonly into?: string
  /** What the body has been read from. */
  readonly source?: NamedDocument
  /** Print the requests that follow instead of the result, which only shows that the filter is valid. */
  readonly follow?: RequestFilter
}

/** A command of `svc-mock ctl`. Its arguments in brackets are optional; its flags come besides the common ones. */
export interface ControlCommand extends Subcommand {
  /** How it is used, without `svc-mock ctl`. */
  readonly examples: readonly string[]
  /** How a terminal shows its result; absent: as JSON. */
  readonly tables?: readonly Table[]
  readonly ids?: NonNullable<CommandCall['ids']>
  readonly call: (args: readonly string[], flags: Flags) => Promise<PreparedCall>
}

/** Ends the help of what takes JSON. */
const JSON_FORMS = 'JSON is the text itself, @FILE, or - for standard input.'

function commandOf(call: CommandCall): ControlCommand {
  const { usage, help, flags = {}, tables, ids, examples } = call
  return {
    usage,
    help: usage.endsWith(' JSON') ? `${help} ${JSON_FORMS}` : help,
    flags: Object.fromEntries(Object.entries(flags).map(([field, face]) => [face.flag ?? field, flagOf(face)])),
    examples,
    ...(tables === undefined ? {} : { tables: tables.map(tableOf) }),
    ...(ids === undefined ? {} : { ids }),
    call: (args, given) => prepare(call, args, given)
  }
}

const flagOf = ({ flag: _, check: name, parts, ...face }: FlagFace): Flag => {
  const check = parts === undefined ? checkOf(name, face.value) : someOf(...parts)
  return { ...face, ...(check === undefined ? {} : { check }), ...(parts === undefined ? {} : { isList: true }) }
}

function checkOf(name: FlagFace['check'], value: string | undefined): Check | undefined {
  if (name !== undefined) return CHECKS[name]
  const words = wordsIn(value)
  return words.length > 0 ? oneOf(...words) : undefined
}

const tableOf = ({ show = {}, note, ...face }: TableFace): Table => ({
  ...face,
  show: Object.fromEntries(Object.entries(show).map(([field, name]) => [field, CELLS[name]])),
  ...(note === undefined
    ? {}
    : {
        note: (result) =>
          note.if === undefined || Number(result[note.if]) > 0
            ? note.text.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(result[field]))
            : undefined
      })
})

/** Makes a call of what a command line gives. @throws {UsageError} if that cannot be sent */
async function prepare(call: CommandCall, args: readonly string[], flags: Flags): Promise<PreparedCall> {
  const { usage, method, wraps, hasBody } = call
  const last = usage.split(' ').at(-1)
  if (last === 'FILE') {
    const source = await documentOf(args[0]!)
    return { method, path: call.path, body: source.document, source }
  }
  if (last === '[FILE]') {
    const [into] = args
    return { method, path: call.path, ...(into === undefined || into === '-' ? {} : { into }) }
  }
  if (last === 'JSON') {
    const value = checkOperations(await jsonOf(args.at(-1)!))
    return { method, path: pathOf(call, args), body: wraps === undefined ? value : { [wraps]: valueOf(value, wraps) } }
  }
  const { follow, ...fields } = { ...byField(call, flags), ...argumentsIn(call, args, ['query', 'body']) }
  const path = pathOf(call, args)
  if (hasBody) return { method, path, body: Object.fromEntries(Object.entries(fields).map(typed(call))) }
  if (follow === undefined) return { method, path: `${path}${queryText(fields)}` }
  for (const flag of ['since', 'limit'])
    if (fields[flag] !== undefined) throw new UsageError(`--follow prints only new requests, so omit --${flag}`)
  return { method, path: `${path}${queryText({ ...fields, limit: '1' })}`, follow: fields }
}

/** The flags by the fields that they set. @throws {UsageError} if there are none, or several, of those that need one */
function byField({ flags: faces = {}, oneOf: ways = [] }: CommandCall, flags: Flags): Record<string, string> {
  const names = ways.map((way) => `--${way}`)
  if (ways.length > 0 && ways.filter((way) => flags[way] !== undefined).length !== 1)
    throw new UsageError(`give exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`)
  return given(Object.fromEntries(Object.entries(faces).map(([field, { flag = field }]) => [field, flags[flag]])))
}

/** The arguments for some places, by their fields. @throws {UsageError} naming the first one that is wrong */
function argumentsIn(
  { usage, checks = {}, arguments: names }: CommandCall,
  args: readonly string[],
  places: readonly string[]
): Record<string, string> {
  const words = usage.split(' ').filter((word) => /^[[A-Z]/.test(word))
  const values = names.map(({ field, place }, index) => {
    const [value, check] = [args[index], checks[field]]
    if (value !== undefined && check !== undefined) checkValue(words[index]!, value, CHECKS[check])
    return [field, places.includes(place) ? value : undefined]
  })
  return given(Object.fromEntries(values) as Flags)
}

function pathOf(call: CommandCall, args: readonly string[]): string {
  const inPath = argumentsIn(call, args, ['path'])
  const path = fillPath(call.path, inPath)
  const below = Object.values(argumentsIn(call, args, ['below'])).map((value) => `/${encodeURIComponent(value)}`)
  return `${path}${below.join('')}`
}

/** Gives a field of a body the type that its flag is about. */
const typed =
  ({ flags = {} }: CommandCall) =>
  ([field, text]: readonly [string, string]): [string, unknown] => {
    const { check, parts }: Partial<FlagFace> = flags[field] ?? {}
    if (parts !== undefined) return [field, text.split(',')]
    switch (check) {
      case 'goal':
        return [field, untilOf(text)]
      case 'number':
        return [field, Number(text)]
      default:
        return [field, text]
    }
  }

/** All commands, in the order of the help. */
export const CONTROL_COMMANDS: readonly ControlCommand[] = COMMAND_CALLS.map(commandOf)
