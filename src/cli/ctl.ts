import { writeFile } from 'node:fs/promises'
import { isVisible, NOT_VISIBLE } from '../options.js'
import { CONTROL_COMMANDS, type ControlCall, type ControlCommand } from './ctl-commands.js'
import { checkUrl, DEFAULT_URL, parseCommandLine, UsageError } from './usage.js'

const WIDTH = 26

const HELP = `Usage: svc-mock ctl <command> [options]

Controls a sandbox of a running server, and prints the result as JSON.

Commands:
${CONTROL_COMMANDS.map(({ usage, help }) => `  ${usage.padEnd(WIDTH)}${help}`).join('\n')}

Options of all commands:
  --url URL       Where the server listens. Default: ${DEFAULT_URL}.
  --key KEY       The key of the sandbox. Not needed with --auth off.
  --token TOKEN   The token of --control-token, if the server has one.

Exit codes: 0 done, 1 refused by the server (also a verification that fails), 2 a mistake in the command line,
3 no answer from the server.`

/** The values of the options of all commands. */
interface Target {
  readonly url: string
  readonly key: string | undefined
  readonly token: string | undefined
}

/** Controls a server. @returns the exit code */
export async function ctlCommand(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const { words, flags } = parse(args)
  const { command, rest } = find(words)
  const { url = DEFAULT_URL, key, token, ...own } = flags
  for (const flag of Object.keys(own)) {
    if (command.flags?.includes(flag) !== true) throw new UsageError(`ctl ${command.usage} has no option --${flag}`)
  }
  checkUrl(url)
  return send({ url, key, token }, await command.call(rest, own))
}

function parse(args: string[]): { words: string[]; flags: Record<string, string | undefined> } {
  const names = ['url', 'key', 'token', ...CONTROL_COMMANDS.flatMap(({ flags = [] }) => flags)]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const, multiple: true as const }]))
  const { positionals: words, values: given } = parseCommandLine({ args, options, allowPositionals: true })
  const flags = Object.fromEntries(
    Object.entries(given).map(([name, values = []]) => {
      // Only --keep is a list, in either notation.
      if (values.length > 1 && name !== 'keep') throw new UsageError(`--${name} was given ${values.length} times`)
      return [name, values.join(',')]
    })
  )
  for (const name of ['key', 'token']) {
    if (flags[name] !== undefined && !isVisible(flags[name])) throw new UsageError(`--${name} ${NOT_VISIBLE}`)
  }
  return { words, flags }
}

/** Finds the command whose name starts the words, preferring the longest name, and its arguments. */
function find(words: readonly string[]): { command: ControlCommand; rest: readonly string[] } {
  if (words.length === 0) throw new UsageError('name a command')
  const candidates = CONTROL_COMMANDS.map((command) => ({ command, ...partsOf(command) }))
    .filter(({ name }) => name.every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)
  const [found] = candidates
  if (found === undefined) throw new UsageError(`there is no command ctl ${words.slice(0, 2).join(' ')}`)
  const rest = words.slice(found.name.length)
  if (rest.length < found.least || rest.length > found.most)
    throw new UsageError(`it is used as: ctl ${found.command.usage}`)
  return { command: found.command, rest }
}

/** Splits a usage: the words of the name, and the number of arguments. */
function partsOf({ usage }: ControlCommand): { name: string[]; least: number; most: number } {
  const words = usage.split(' ')
  const name = words.filter((word) => /^[a-z]/.test(word))
  return { name, least: words.filter((word) => /^[A-Z]/.test(word)).length, most: words.length - name.length }
}

async function send({ url, key, token }: Target, { method, path, body, into }: ControlCall): Promise<number> {
  const request = {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(token === undefined ? {} : { 'x-mock-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }
  let reply: Response
  let text: string
  try {
    reply = await fetch(new URL(`/_mock${path}`, url), request)
    text = await reply.text()
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    console.error(`svc-mock: ${url} does not answer (${cause?.code ?? cause?.message ?? (error as Error).message})`)
    return 3
  }
  if (!reply.ok) {
    console.error(`svc-mock: ${messageOf(text) ?? `status ${reply.status}`}`)
    return 1
  }
  const result = resultOf(text)
  if (into === undefined) console.log(result)
  else await writeFile(into, `${result}\n`)
  return 0
}

/** Formats a reply: the Result, or the Message if there is none. A reply that is not JSON stays as it is. */
function resultOf(text: string): string {
  const envelope = parsed(text)
  if (envelope === undefined) return text
  const { Result, Message } = envelope
  return JSON.stringify(Result ?? { Message }, null, 2)
}

function messageOf(text: string): string | undefined {
  const message = parsed(text)?.['Message']
  return typeof message === 'string' ? message : undefined
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
