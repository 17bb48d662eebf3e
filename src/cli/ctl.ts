import { writeFile } from 'node:fs/promises'
import { isObject, objectOf } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import type { CommandFace } from '../test-control/control-call.js'
import { parseFlags } from './command.js'
import { CallError, textOfCall } from './ctl-call.js'
import type { ControlCommand } from './ctl-calls.js'
import { type NamedDocument, prepare } from './ctl-commands.js'
import { commandIn, findCommand } from './ctl-find.js'
import { followRequests, type RequestFilter } from './ctl-follow.js'
import { aboutCommand, ALL_FLAGS, COMMON_FLAGS } from './ctl-help.js'
import { print, printError } from './print.js'
import { formatTables } from './table.js'
import { type Environment, type Target, targetOf } from './target.js'
import { writeError } from './write-error.js'

/** Where the output goes: a terminal gets tables, and anything else JSON. */
type Screen = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

interface Surroundings {
  readonly env?: Environment
  readonly screen?: Screen
}

/** The width of a terminal that does not say. */
const USUAL_WIDTH = 80

/** Controls a server. @returns the exit code */
export function ctlCommand(args: readonly string[], surroundings: Surroundings = {}): Promise<number> {
  return aboutCommand(args, (words) => run(args, words, surroundings))
}

async function run(
  args: readonly string[],
  words: readonly string[],
  { env = process.env, screen = process.stdout }: Surroundings
): Promise<number> {
  const { url, key, token, json, ...own } = flagsOf(args, words)
  const { command, rest } = findCommand(words)
  const target = targetOf({ url, key, token }, env)
  const { into, follow, source, ...call } = await prepare(command, rest, own)
  const width = json === undefined ? widthOf(screen) : undefined
  try {
    const text = await textOfCall(target, call).catch(async (error: unknown) => {
      const [beginning, ...others] = rest
      const isUnknown = error instanceof CallError && error.status === 404
      if (!isUnknown || command.ids === undefined || beginning === undefined) throw error
      const id = await idBeginningWith(target, command.ids, beginning)
      if (id === undefined) throw error
      return textOfCall(target, await prepare(command, [id, ...others], own))
    })
    if (follow !== undefined) await followUntilInterrupted(target, follow, width)
    else if (into === undefined) print(width === undefined ? jsonText(text) : terminalText(text, command, width))
    else
      await writeFile(into, `${jsonText(text)}\n`).catch((error: unknown) => {
        throw writeError(into, error)
      })
    return 0
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    printError(`svc-mock: ${await messageOf(error, source)}`)
    return error.exitCode
  }
}

/** How many ids a message names. */
const MOST_NAMED = 5

/**
 * Finds the id that a text is the beginning of.
 * @returns undefined if there is none
 * @throws {CallError} if there are several
 */
async function idBeginningWith(
  target: Target,
  { path, member, field }: NonNullable<CommandFace['ids']>,
  beginning: string
): Promise<string | undefined> {
  const { Result: result } = objectOf(parsed(await textOfCall(target, { method: 'GET', path })))
  const list = member === undefined || !isObject(result) ? result : result[member]
  const ids = (Array.isArray(list) ? list.filter(isObject) : []).map((item) => String(item[field]))
  const found = ids.filter((id) => id.startsWith(beginning))
  if (found.length < 2) return found[0]
  const named = found.slice(0, MOST_NAMED).join(', ')
  throw new CallError(1, `${beginning} is ambiguous: ${named}${found.length > MOST_NAMED ? ', …' : ''}`)
}

/** What a server says about a document, with the places in its file. */
async function messageOf({ message, details }: CallError, source: NamedDocument | undefined): Promise<string> {
  if (source === undefined || details.every(({ FieldName }) => FieldName === '')) return message
  // With it comes a part of the server.
  const { describeErrors } = await import('../interface/describe-errors.js')
  const { callNamed } = await import('../test-control/calls.js')
  const kind = { name: 'a state document', schema: callNamed('replaceState').body! }
  return `${source.name} is not valid: ${describeErrors(source, details, kind)}`
}

/** The flags that are given; a switch that is on is `true`. */
function flagsOf(args: readonly string[], words: readonly string[]): Record<string, string | undefined> {
  const command = commandIn(words)
  const meant = command && Object.keys({ ...command.flags, ...COMMON_FLAGS })
  const { values } = parseFlags(ALL_FLAGS, args, { allowPositionals: true, ...(meant && { meant }) })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

/** @returns undefined for what is no terminal */
function widthOf({ isTTY, columns = 0 }: Screen): number | undefined {
  if (isTTY !== true) return undefined
  return columns > 0 ? columns : USUAL_WIDTH
}

/** Follows the requests until Ctrl-C, or until nobody reads the output any more. */
async function followUntilInterrupted(target: Target, filter: RequestFilter, width: number | undefined): Promise<void> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  process.stdout.once('error', stop)
  try {
    await followRequests(target, filter, width, abort.signal)
  } finally {
    process.off('SIGINT', stop)
    process.stdout.off('error', stop)
  }
}

/** A reply as JSON: the Result, or the Message if there is none. A reply that is not JSON stays as it is. */
function jsonText(text: string): string {
  const envelope = parsed(text)
  // What is printed gets an end of its own.
  if (!isObject(envelope)) return text.replace(/\n$/, '')
  const { Result, Message } = envelope
  return JSON.stringify(Result ?? { Message }, null, 2)
}

/** A reply for a terminal: a list as a table, and a reply that has no Result as its Message. */
function terminalText(text: string, { tables }: ControlCommand, width: number): string {
  const { Result, Message } = objectOf(parsed(text))
  if (Result === undefined || Result === null) return typeof Message === 'string' ? Message : jsonText(text)
  return tables === undefined ? jsonText(text) : formatTables(Result, tables, width)
}
