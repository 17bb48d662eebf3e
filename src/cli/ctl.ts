import { writeFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject, objectOf } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import type { RequestFilter } from '../test-control/handle/types.js'
import { readSubcommand } from './command.js'
import { CallError, type ControlCall, textOfCall } from './ctl-call.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { followRequests } from './ctl-follow.js'
import { COMMON_FLAGS } from './ctl-help.js'
import { harmless, printColored, printError } from './print.js'
import { formatTables } from './table.js'
import { type Environment, targetOf } from './target.js'
import { UsageError, writeError } from './usage.js'

interface Surroundings {
  readonly env?: Environment
  /** Whether people read the output: a terminal shows tables, and everything else gets JSON. */
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly hasColors?: boolean
}

/** For a terminal that does not report its width. */
const USUAL_WIDTH = 80

/** Controls a sandbox of a server. @returns the exit code */
export async function ctlCommand(
  args: readonly string[],
  {
    env = process.env,
    isTerminal = process.stdout.isTTY,
    columns = process.stdout.columns || USUAL_WIDTH,
    hasColors = process.stdout.isTTY && process.stdout.hasColors()
  }: Surroundings = {}
): Promise<number> {
  const { command, rest, values } = readSubcommand('ctl', CONTROL_COMMANDS, args, COMMON_FLAGS)
  const { url, key, token, json, ...own } = values
  const flags = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]))
  const target = targetOf({ url, key, token }, env)
  const { into, follow, ...call } = await prepare(command, rest, flags)
  const isForPeople = isTerminal && json === undefined
  try {
    const text = await textOfCall(target, call)
    if (follow !== undefined) await followRequests(target, follow, isForPeople)
    else if (into === undefined)
      printColored(isForPeople ? terminalText(text, command, columns, hasColors) : harmless(jsonText(text)))
    else
      await writeFile(into, `${jsonText(text)}\n`).catch((error: unknown) => {
        throw writeError(into, error)
      })
    return 0
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    printError(`svc-mock: ${error.message}`)
    return error.exitCode
  }
}

interface PreparedCall extends ControlCall {
  /** File for the result, instead of standard output. */
  readonly into?: string
  /** Print new requests instead of the result, which only shows that the filter is valid. */
  readonly follow?: RequestFilter
}

/** Makes a call of a command line, whose values the server checks. @throws {UsageError} if it cannot be sent */
async function prepare(
  command: ControlCommand,
  args: readonly string[],
  flags: Readonly<Record<string, string>>
): Promise<PreparedCall> {
  const { usage, method, wraps, hasBody } = command
  const last = usage.split(' ').at(-1)
  if (last === 'FILE') return { method, path: command.path, body: await documentOf(args[0]!) }
  if (last === '[FILE]') {
    const [into] = args
    return { method, path: command.path, ...(into === undefined || into === '-' ? {} : { into }) }
  }
  const below = Object.values(argumentsIn(command, args, ['below'])).map((value) => `/${encodeURIComponent(value)}`)
  const path = `${fillPath(command.path, argumentsIn(command, args, ['path']))}${below.join('')}`
  if (last === 'JSON') {
    const value = await jsonOf(args.at(-1)!)
    if (wraps === undefined) return { method, path, body: value }
    // The output of `ctl transitions`, which has more than the rules, is accepted too.
    return { method, path, body: { [wraps]: isObject(value) && wraps in value ? value[wraps] : value } }
  }
  const fields = { ...fieldsOf(command, flags), ...argumentsIn(command, args, ['query', 'body']) }
  if (hasBody) return { method, path, body: fields }
  const { follow, ...filter } = fields
  if (follow === undefined) return { method, path: `${path}${queryText(fields)}` }
  for (const flag of ['since', 'limit'])
    if (filter[flag] !== undefined) throw new UsageError(`--follow prints only new requests, so omit --${flag}`)
  return { method, path: `${path}${queryText({ ...filter, limit: 1 })}`, follow: filter }
}

/** The arguments that go to some places, by field. */
function argumentsIn(
  { arguments: names }: ControlCommand,
  args: readonly string[],
  places: readonly string[]
): Record<string, string> {
  const given = names.map(({ field, place }, index) => [field, places.includes(place) ? args[index] : undefined])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<string, string>
}

function fieldsOf(command: ControlCommand, flags: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, text]) => {
      const { field, value, isList = false } = command.flags[name]!
      return [field, isList ? text.split(',') : valueOf(value, text)]
    })
  )
}

/** The value of a flag with the type that a body needs. The server explains what is wrong with a text. */
function valueOf(placeholder: string | undefined, text: string): unknown {
  if (placeholder === 'FACTOR') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (placeholder !== 'idle|WORKSPACE=STATUS' || text === 'idle') return text
  const equals = text.lastIndexOf('=')
  if (equals < 0) throw new UsageError(`--until must be idle or WORKSPACE=STATUS, but is ${text}`)
  return { workspace_id: text.slice(0, equals), status: text.slice(equals + 1) }
}

/** Reads a document in JSON or YAML from a file, or from standard input (`-`). */
async function documentOf(path: string): Promise<unknown> {
  const { DocumentError, parseDocument, readDocumentFile } = await import('../interface/document-file.js')
  try {
    const file = path === '-' ? await parseDocument(await readAll(process.stdin)) : await readDocumentFile(path)
    return file.document
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new UsageError(`${path === '-' ? 'the standard input' : path} ${error.message}`)
  }
}

/** Reads JSON from an argument, from a file (`@FILE`), or from standard input (`-`). */
async function jsonOf(argument: string): Promise<unknown> {
  if (argument === '-' || argument.startsWith('@')) return documentOf(argument.replace(/^@/, ''))
  try {
    return JSON.parse(argument)
  } catch (error) {
    throw new UsageError(`${argument} is not JSON (${(error as Error).message})`)
  }
}

/** A reply as JSON: the Result, or the Message if there is none. A reply that is not JSON stays as it is. */
function jsonText(text: string): string {
  const envelope = parsed(text)
  // printColored() ends the line.
  if (!isObject(envelope)) return text.replace(/\n$/, '')
  const { Result, Message } = envelope
  return JSON.stringify(Result ?? { Message }, null, 2)
}

/** A reply for a terminal: a list as a table, and a reply without a Result as its Message. */
function terminalText(text: string, { tables }: ControlCommand, width: number, hasColors: boolean): string {
  const { Result, Message } = objectOf(parsed(text))
  if (Result === undefined || Result === null) return harmless(typeof Message === 'string' ? Message : jsonText(text))
  return tables === undefined ? harmless(jsonText(text)) : formatTables(Result, tables, width, hasColors)
}
