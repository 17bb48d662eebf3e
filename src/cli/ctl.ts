import { writeFile } from 'node:fs/promises'
import { isObject, objectOf } from '../lib/json.js'
import { parsed } from '../lib/parsed.js'
import type { RequestFilter } from '../test-control/handle/types.js'
import { readSubcommand } from './command.js'
import { CallError, textOfCall } from './ctl-call.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { prepare } from './ctl-commands.js'
import { followRequests } from './ctl-follow.js'
import { COMMON_FLAGS } from './ctl-help.js'
import { print, printError } from './print.js'
import { formatTables } from './table.js'
import { type Environment, type Target, targetOf } from './target.js'
import { writeError } from './write-error.js'

interface Surroundings {
  readonly env?: Environment
  /** Whether people read the output: on a terminal, they get tables, and anything else JSON. */
  readonly isTerminal?: boolean
  /** The width of the terminal. */
  readonly columns?: number
}

/** The width of a terminal that does not say. */
const USUAL_WIDTH = 80

/** Controls a server. @returns the exit code */
export async function ctlCommand(
  args: readonly string[],
  {
    env = process.env,
    isTerminal = process.stdout.isTTY,
    columns = process.stdout.columns || USUAL_WIDTH
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
    if (follow !== undefined) await followUntilInterrupted(target, follow, isForPeople)
    else if (into === undefined) print(isForPeople ? terminalText(text, command, columns) : jsonText(text))
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

/** Follows the requests until Ctrl-C, or until nobody reads the output any more. */
async function followUntilInterrupted(target: Target, filter: RequestFilter, isForPeople: boolean): Promise<void> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  process.once('SIGINT', stop)
  process.stdout.once('error', stop)
  try {
    await followRequests(target, filter, isForPeople, abort.signal)
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
