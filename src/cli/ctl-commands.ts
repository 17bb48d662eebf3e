import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject } from '../lib/json.js'
import { wordsIn } from './command.js'
import { documentOf, jsonOf, type NamedDocument } from './ctl-arguments.js'
import type { ControlCall } from './ctl-call.js'
import type { ControlCommand } from './ctl-calls.js'
import type { RequestFilter } from './ctl-follow.js'
import { checkOperations, CHECKS, checkValue, oneOf, someOf } from './ctl-values.js'
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

type Texts = Readonly<Record<string, string | undefined>>

/** Makes a call of what a command line gives. @throws {UsageError} if that cannot be sent */
export async function prepare(command: ControlCommand, args: readonly string[], flags: Texts): Promise<PreparedCall> {
  const { usage, method, wraps, hasBody } = command
  const own = byField(command, flags)
  const last = usage.split(' ').at(-1)
  if (last === 'FILE') {
    const source = await documentOf(args[0]!)
    return { method, path: command.path, body: source.document, source }
  }
  if (last === '[FILE]') {
    const [into] = args
    return { method, path: command.path, ...(into === undefined || into === '-' ? {} : { into }) }
  }
  const path = pathOf(command, args)
  if (last === 'JSON') {
    const value = checkOperations(await jsonOf(args.at(-1)!))
    if (wraps === undefined) return { method, path, body: value }
    // It may be what `ctl transitions` prints, which has more than the rules.
    return { method, path, body: { [wraps]: isObject(value) && wraps in value ? value[wraps] : value } }
  }
  const { follow, ...fields } = { ...own, ...argumentsIn(command, args, ['query', 'body']) }
  if (hasBody) return { method, path, body: Object.fromEntries(Object.entries(fields).map(typed(command))) }
  if (follow === undefined) return { method, path: `${path}${queryText(fields)}` }
  for (const flag of ['since', 'limit'])
    if (fields[flag] !== undefined) throw new UsageError(`--follow prints only new requests, so omit --${flag}`)
  return { method, path: `${path}${queryText({ ...fields, limit: '1' })}`, follow: fields }
}

/** Keeps only what is given. */
function given(texts: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter((text): text is [string, string] => text[1] !== undefined))
}

/** The flags by the fields that they set. @throws {UsageError} naming the first thing that is wrong */
function byField(command: ControlCommand, flags: Texts): Record<string, string> {
  const { usage, oneOf: ways = [] } = command
  const found = Object.entries(given(flags)).map(([name, text]) => {
    const flag = command.flags[name]
    if (flag === undefined) throw new UsageError(`ctl ${usage} has no option --${name}`)
    const { check, parts, value } = flag
    const words = wordsIn(value)
    if (parts !== undefined) checkValue(`--${name}`, text, someOf(...parts))
    else if (check !== undefined) checkValue(`--${name}`, text, CHECKS[check])
    else if (words.length > 0) checkValue(`--${name}`, text, oneOf(...words))
    return [flag.field, text]
  })
  const names = ways.map((way) => `--${way}`)
  if (ways.length > 0 && ways.filter((way) => flags[way] !== undefined).length !== 1)
    throw new UsageError(`give exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`)
  return Object.fromEntries(found) as Record<string, string>
}

/** The arguments for some places, by their fields. @throws {UsageError} naming the first one that is wrong */
function argumentsIn(
  { usage, checks = {}, arguments: names }: ControlCommand,
  args: readonly string[],
  places: readonly string[]
): Record<string, string> {
  const words = usage.split(' ').filter((word) => /^[[A-Z]/.test(word))
  const values = names.map(({ field, place }, index) => {
    const [value, check] = [args[index], checks[field]]
    if (value !== undefined && check !== undefined) checkValue(words[index]!, value, CHECKS[check])
    return [field, places.includes(place) ? value : undefined]
  })
  return given(Object.fromEntries(values) as Texts)
}

function pathOf(command: ControlCommand, args: readonly string[]): string {
  const path = fillPath(command.path, argumentsIn(command, args, ['path']))
  const below = Object.values(argumentsIn(command, args, ['below'])).map((value) => `/${encodeURIComponent(value)}`)
  return `${path}${below.join('')}`
}

/** Gives a field of a body the type that its flag is about. */
const typed =
  ({ flags }: ControlCommand) =>
  ([field, text]: readonly [string, string]): [string, unknown] => {
    const { check, parts } = Object.values(flags).find((flag) => flag.field === field) ?? {}
    if (parts !== undefined) return [field, text.split(',')]
    switch (check) {
      case 'goal': {
        const equals = text.lastIndexOf('=')
        return [field, equals < 0 ? text : { workspace_id: text.slice(0, equals), status: text.slice(equals + 1) }]
      }
      case 'number':
        return [field, Number(text)]
      default:
        return [field, text]
    }
  }
