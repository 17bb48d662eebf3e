import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { fileProblem } from '../lib/file-problem.js'
import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject } from '../lib/json.js'
import type { RequestFilter } from '../test-control/handle/types.js'
import type { ControlCall } from './ctl-call.js'
import type { ControlCommand } from './ctl-calls.js'
import { UsageError } from './usage.js'

/** What a command does. */
interface PreparedCall extends ControlCall {
  /** File to write the result to, instead of standard output. */
  readonly into?: string
  /** Print the requests that follow instead of the result, which only shows that the filter is valid. */
  readonly follow?: RequestFilter
}

/** Values for fields, as the command line has them, or with the type that a body needs. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Makes a call of what a command line gives. The server checks the values.
 * @throws {UsageError} if it cannot be sent
 */
export async function prepare(
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
    // It may be what `ctl transitions` prints, which has more than the rules.
    return { method, path, body: { [wraps]: isObject(value) && wraps in value ? value[wraps] : value } }
  }
  const fields: Fields = { ...fieldsOf(command, flags), ...argumentsIn(command, args, ['query', 'body']) }
  if (hasBody) return { method, path, body: fields }
  const { follow, ...filter } = fields
  if (follow === undefined) return { method, path: `${path}${queryText(fields)}` }
  for (const flag of ['since', 'limit'])
    if (filter[flag] !== undefined) throw new UsageError(`--follow prints only new requests, so omit --${flag}`)
  return { method, path: `${path}${queryText({ ...filter, limit: 1 })}`, follow: filter }
}

/** The flags as the fields that they set. */
function fieldsOf(command: ControlCommand, flags: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(flags).map(([name, text]) => {
      const { field, value, isList = false } = command.flags[name]!
      return [field, isList ? text.split(',') : valueOf(value, text)]
    })
  )
}

/** A value as a body has it, by what stands for it in the help. */
function valueOf(placeholder: string | undefined, text: string): unknown {
  // The server says what is wrong with a text.
  if (placeholder === 'FACTOR') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  const equals = text.lastIndexOf('=')
  if (placeholder !== 'idle|WORKSPACE=STATUS' || equals < 0) return text
  return { workspace_id: text.slice(0, equals), status: text.slice(equals + 1) }
}

/** The arguments for some places, by their fields. */
function argumentsIn(
  { arguments: names }: ControlCommand,
  args: readonly string[],
  places: readonly string[]
): Record<string, string> {
  const given = names.map(({ field, place }, index) => [field, places.includes(place) ? args[index] : undefined])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<string, string>
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
  const source = argument === '-' ? readAll(process.stdin) : argument.startsWith('@') ? contentOf(argument) : argument
  try {
    return JSON.parse(await source)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const name = argument === '-' ? 'the standard input' : argument
    throw new UsageError(`${name} is not JSON (${(error as Error).message})`)
  }
}

async function contentOf(argument: string): Promise<string> {
  const file = argument.slice(1)
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} ${fileProblem(error, 'read')}`)
  })
}
