import { accessSync, constants, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fileProblem } from '../lib/file-problem.js'
import { writePrivate } from '../lib/private-file.js'
import { quantity } from '../lib/quantity.js'
import { sandboxIdOf } from '../lib/secrets.js'
import { namedKeys, type Options } from '../options.js'
import { recordingName } from '../recording/manifest.js'
import { fileNameOf } from '../recording/recordings.js'
import { CommandError, exitStatusOf, startCommand } from '../run/command.js'
import { withVirtualTime } from '../run/virtual-time.js'
import { CLOCK_MODES, type ClockMode, VIRTUAL_CLOCK } from '../sim/clock.js'
import type { LeftBehind, Report, RequestList } from '../test-control/handle/types.js'
import type { Overview } from '../test-control/overview/schemas.js'
import { fillPlaceholders, readClientCommand, readServer, tellIgnored, variable } from './client-command.js'
import { RUN_FLAGS } from './commands/run.js'
import { type ControlCall, textOfCall } from './ctl-call.js'
import { openServer } from './own-server.js'
import { printError } from './print.js'
import { printable } from './table.js'
import { CLIENT_VARIABLES, type Environment, type Target } from './target.js'
import { UsageError } from './usage.js'

/** Signals passed on to the command. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGWINCH'] as const
/** Signals that ask the command to end; the second one forces it. */
const ENDING: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Runs a command with a server. @returns the command's exit code */
export async function runCommand(args: string[]): Promise<number> {
  const request = readRunRequest(args, process.env)
  if (request.server === undefined) tellIgnored(process.env)
  const { record, server } = request
  if (record !== undefined) checkWritable(record)
  const signals = passSignals(() => recording?.end())
  const recording = record === undefined || server !== undefined ? undefined : beginRecording(record)
  const options = { ...request.options, ...(recording && { record: recording.directory, recordKeep: 'all' as const }) }
  try {
    const { target, close } = await openServer({ ...request, options }, 'run')
    const code = await runWith(target, request, signals).finally(close)
    if (recording !== undefined) recording.keep(options, target.key)
    else if (record !== undefined) await writeFromMemory(record, target)
    return code
  } finally {
    signals.close()
    recording?.end()
  }
}

async function runWith(
  target: Target,
  { command, variables, clock, server, isTimeVirtual }: RunRequest,
  signals: ReturnType<typeof passSignals>
): Promise<number> {
  const setting = clock ?? (isTimeVirtual ? VIRTUAL_CLOCK : undefined)
  if (setting !== undefined) await textOfCall(target, { method: 'PUT', path: '/clock', body: setting })
  const before = await observe(target)
  const fill = (text: string) => fillPlaceholders(text, { url: target.url, key: target.key ?? '' })
  const env = {
    ...process.env,
    [CLIENT_VARIABLES.url]: target.url,
    [CLIENT_VARIABLES.key]: target.key ?? '',
    ...(target.token === undefined ? {} : { [CLIENT_VARIABLES.token]: target.token }),
    ...Object.fromEntries(variables.map(([name, value]) => [name, fill(value)]))
  }
  try {
    const running = await startCommand({
      argv: command.map(fill),
      env: isTimeVirtual ? withVirtualTime(env) : env,
      output: 'inherit'
    })
    signals.to(running)
    const end = await running.ended
    signals.close()
    const place = server === undefined ? '' : ` (${target.url}, key ${target.key ?? 'none'})`
    const summary = await observe(target).then(
      (after) => summarize(before, after) + place,
      (error: unknown) => `no summary: ${(error as Error).message}`
    )
    printError(`svc-mock: ${summary}`)
    return exitStatusOf(end)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printError(`svc-mock: ${error.message}`)
    return error.exitCode
  }
}

/** A sandbox at one moment. */
interface Observation {
  readonly requests: RequestList
  readonly report: Report
  readonly overview: Overview
}

/** Summarizes the time between two moments: a line, and one for each finding and each thing left behind. */
function summarize(before: Observation, after: Observation): string {
  // A reset clears the journal, and the same ids come again.
  const nameOf = ({ request_id: id, at }: RequestList['requests'][number]) => `${id} ${at}`
  const known = new Set(before.requests.requests.map(nameOf))
  const fresh = after.requests.requests.filter((request) => !known.has(nameOf(request)))
  const count = Math.max(fresh.length, countOf(after) - countOf(before))
  const own = new Set(fresh.map(({ request_id: id }) => id))
  const findings = after.report.findings.filter(({ requests }) => requests.some((id) => own.has(id)))
  const there = new Set(resourcesOf(before).map(({ key }) => key))
  const created = resourcesOf(after).flatMap(({ key, text }) => (there.has(key) ? [] : [text]))
  const leftovers = newLeftovers(before, after)
  const isClean = created.length + leftovers.length === 0
  const head = [
    quantity(count, 'request'),
    quantity(findings.length, 'finding'),
    isClean ? 'nothing left behind' : 'left behind:'
  ]
  return [
    // The tests of a test runner may each have a key of their own.
    count === 0 && isClean ? `no requests recorded with the key in ${CLIENT_VARIABLES.key}` : head.join(', '),
    ...created,
    ...leftovers.map(({ kind, message, ids }) => `${kind}: ${message} (${ids.join(', ')})`),
    ...findings.map(({ rule, message }) => `${rule}: ${message}`)
  ]
    .map(printable)
    .join('\n  ')
}

const countOf = ({ requests }: Observation) => requests.requests.length + requests.dropped

const resourcesOf = ({ overview: { workgroups, workspaces } }: Observation) => [
  ...workgroups.map(({ workgroup_id: id, name }) => ({ key: `workgroup ${id}`, text: `workgroup ${name} (${id})` })),
  ...workspaces.map(({ workspace_id: id, name, status }) => ({ key: id, text: `workspace ${name} (${id}, ${status})` }))
]

function newLeftovers(before: Observation, after: Observation): LeftBehind[] {
  const there = new Set(before.report.left_behind.flatMap(({ kind, ids }) => ids.map((id) => `${kind} ${id}`)))
  return after.report.left_behind
    .map(({ ids, ...rest }) => ({ ...rest, ids: ids.filter((id) => !there.has(`${rest.kind} ${id}`)) }))
    .filter(({ ids }) => ids.length > 0)
}

async function observe(target: Target): Promise<Observation> {
  const read = async (path: string): Promise<unknown> => {
    const call: ControlCall = { method: 'GET', path }
    return (JSON.parse(await textOfCall(target, call)) as { Result: unknown }).Result
  }
  const [requests, report, overview] = await Promise.all(['/requests', '/report', '/overview'].map(read))
  return { requests, report, overview } as Observation
}

/** Passes signals on to the command. Before it runs, one ends this process, after `cleanUp`. */
function passSignals(cleanUp: () => void) {
  let running: Awaited<ReturnType<typeof startCommand>> | undefined
  let asked = 0
  const pass = (signal: NodeJS.Signals) => {
    const isEnding = ENDING.includes(signal)
    if (running === undefined) {
      if (!isEnding) return
      cleanUp()
      process.exit(exitStatusOf({ code: null, signal }))
    } else if (isEnding && ++asked > 1) void running.end()
    else running.signal(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, pass)
  return {
    to: (command: typeof running) => (running = command),
    close: () => {
      for (const signal of PASSED_ON) process.off(signal, pass)
    }
  }
}

/** Prepares to record a run, in a directory beside the file. @throws {UsageError} if it cannot be created */
function beginRecording(file: string) {
  const directory = checked(file, () => mkdtempSync(`${file}-`))
  return {
    /** The server makes a file for each sandbox in it. */
    directory,
    /** Keeps the recording of a sandbox, after the server has stopped. @throws {UsageError} if it cannot be written */
    keep: (options: Options, key: string | undefined) => {
      const names = new Map([...namedKeys(options)].map(([key, name]) => [sandboxIdOf(key), name]))
      const id = sandboxIdOf(key ?? '')
      const ending = `-${fileNameOf(recordingName(names, id))}`
      const [made] = readdirSync(directory).filter((name) => name.replace(/(-\d+)?\.svcmock$/, '').endsWith(ending))
      if (made !== undefined) checked(file, () => renameSync(join(directory, made), file))
      else printError(`svc-mock: ${file} is not written, because the command did not use its sandbox`)
    },
    /** Removes the directory. */
    end: () => rmSync(directory, { recursive: true, force: true })
  }
}

/** Writes a recording of what another server has in memory. @throws {UsageError} if it cannot be written */
async function writeFromMemory(file: string, target: Target): Promise<void> {
  const text = await textOfCall(target, { method: 'GET', path: '/recording' })
  checked(file, () => writePrivate(file, gzipSync(text)))
}

/** Finds problems before the run rather than after it. @throws {UsageError} if a file cannot be written */
function checkWritable(file: string): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`--record: ${file} is a directory; name the file to write`)
  checked(file, () => accessSync(existsSync(file) ? file : dirname(file), constants.W_OK))
}

function checked<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw new UsageError(`--record: ${file} ${fileProblem(error, 'written')}`)
  }
}

type RunRequest = ReturnType<typeof readRunRequest>

/** Reads the command line. @throws {UsageError} naming the first mistake */
export function readRunRequest(args: readonly string[], env: Environment) {
  const { values, forServer, command } = readClientCommand(args, RUN_FLAGS)
  if (command.length === 0) throw new UsageError('give the command to run after --, as in svc-mock run -- npm test')
  const { url, key, token, record, 'virtual-time': isTimeVirtual = false } = values
  if (isTimeVirtual && url?.startsWith('https:') === true)
    throw new UsageError('--virtual-time needs a server without TLS')
  if (record === '') throw new UsageError('--record needs the name of a file')
  return {
    command,
    ...readServer({ url, key, token }, forServer, env),
    variables: values.env.map(variable),
    clock: clockOf(values.clock, values.rate),
    isTimeVirtual,
    record
  }
}

/** The setting for the sandbox's clock; undefined: unchanged. */
function clockOf(clock: string | undefined, rate: string | undefined) {
  if (clock !== undefined && !CLOCK_MODES.includes(clock as ClockMode))
    throw new UsageError(`--clock must be one of ${CLOCK_MODES.join(', ')}, but is ${clock}`)
  if (rate !== undefined && !(Number(rate) > 0 && Number(rate) <= 1_000_000))
    throw new UsageError(`--rate must be a number above 0, at most 1000000, but is ${rate}`)
  if (rate !== undefined && clock !== undefined && clock !== 'real')
    throw new UsageError(`--rate needs --clock real, but --clock is ${clock}`)
  if (rate !== undefined) return { mode: 'real', rate: Number(rate) }
  return clock === undefined ? undefined : { mode: clock }
}
