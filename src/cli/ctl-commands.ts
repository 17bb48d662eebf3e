import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import type { DocumentFile } from '../interface/document-file.js'
import { fileProblem } from '../lib/file-problem.js'
import { fillPath, queryText } from '../lib/fill-path.js'
import { isObject } from '../lib/json.js'
import type { ControlCall } from './ctl-call.js'
import type { ControlCommand } from './ctl-calls.js'
import type { RequestFilter } from './ctl-follow.js'
import { bodyValueOf, checkOf, checkOperations, checkValue, someOf } from './ctl-values.js'
import { UsageError } from './usage.js'

/** A state document, and what to call it in a message. */
export interface NamedDocument extends DocumentFile {
  readonly name: string
}

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
    const { field, parts, value } = flag
    checkValue(`--${name}`, text, parts === undefined ? checkOf(value) : someOf(...parts))
    return [field, text]
  })
  const names = ways.map((way) => `--${way}`)
  if (ways.length > 0 && ways.filter((way) => flags[way] !== undefined).length !== 1)
    throw new UsageError(`give exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`)
  return Object.fromEntries(found) as Record<string, string>
}

/** The arguments for some places, by their fields. @throws {UsageError} naming the first one that is wrong */
function argumentsIn(
  { usage, arguments: names }: ControlCommand,
  args: readonly string[],
  places: readonly string[]
): Record<string, string> {
  const words = usage.split(' ').filter((word) => /^[[A-Z]/.test(word))
  const values = names.map(({ field, place }, index) => {
    const value = args[index]
    if (value !== undefined) checkValue(words[index]!, value, checkOf(words[index]))
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
    const { parts, value } = Object.values(flags).find((flag) => flag.field === field) ?? {}
    return [field, parts === undefined ? bodyValueOf(value, text) : text.split(',')]
  }

/** Reads a document in JSON or YAML from a file, or from standard input (`-`). */
async function documentOf(path: string): Promise<NamedDocument> {
  const { DocumentError, parseDocument, readDocumentFile } = await import('../interface/document-file.js')
  const name = path === '-' ? 'the standard input' : path
  try {
    const file = path === '-' ? await parseDocument(await readAll(process.stdin)) : await readDocumentFile(path)
    return { name, ...file }
  } catch (error) {
    throw error instanceof DocumentError ? new UsageError(`${name} ${error.message}`) : error
  }
}

/** Reads JSON from an argument, from a file (`@FILE`), or from standard input (`-`). */
async function jsonOf(argument: string): Promise<unknown> {
  const source =
    argument === '-'
      ? await readAll(process.stdin)
      : argument.startsWith('@')
        ? await contentOf(argument.slice(1))
        : argument
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(
      `${argument === '-' ? 'the standard input' : argument} is not JSON (${(error as Error).message})`
    )
  }
}

async function contentOf(file: string): Promise<string> {
  if (file === '') throw new UsageError('name a file after @')
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} ${fileProblem(error, 'read')}`)
  })
}
