import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Exploration } from '../explore/explore.js'
import { ExploreError } from '../explore/explore-error.js'
import { kindOf } from '../explore/plans.js'
import { nameOf } from '../explore/points.js'
import type { ExploreProgress, ExploreReport } from '../explore/result.js'
import { OptionError } from '../options.js'
import { recordingFromMemory } from '../recording/from-memory.js'
import { isInNodeOrPython, knowsVirtualTime } from '../run/virtual-time.js'
import { sandboxIdOf } from '../sandboxes/keys.js'
import { listen } from '../serve.js'
import { reachable } from './banner.js'
import { EXPLORE_HELP, type ExploreRequest, readExploreRequest } from './explore-arguments.js'
import { commandAttempt, RunFolders } from './explore-client.js'
import { type ExplorePlanFile, readPlanFile, readReportFile, ResultFolder } from './explore-files.js'
import { cutAt, printable } from './table.js'
import { asksForHelp, UsageError } from './usage.js'

/** Exit codes, besides that of a mistake in the command line, which is the same as the last. */
const [CLEAN, FOUND, NOT_JUDGED] = [0, 1, 2]

/** The sandbox that all runs begin like. */
const BASELINE = 'explore'

/** Explores the faults that a command does not survive. @returns the exit code */
export async function exploreCommand(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    console.log(EXPLORE_HELP)
    return 0
  }
  const request = readExploreRequest(args, process.env)
  const interrupt = new Interrupt()
  const folders = new RunFolders()
  try {
    return await exploreWith(request, interrupt, folders)
  } catch (error) {
    if (!(error instanceof ExploreError)) throw error
    console.error(`svc-mock: ${interrupt.signal.aborted ? 'interrupted before anything was tried' : error.message}`)
    return NOT_JUDGED
  } finally {
    interrupt.close()
    folders.remove()
  }
}

async function exploreWith(request: ExploreRequest, { signal }: Interrupt, folders: RunFolders): Promise<number> {
  const { options, baseline: known, stay } = request
  const replay = request.replay === undefined ? undefined : readPlanFile(request.replay)
  const results = replay === undefined ? new ResultFolder(request.report) : undefined
  const server = await listen(options, pino({ level: 'silent' })).catch((error: unknown) => {
    throw error instanceof OptionError ? new UsageError(error.message) : error
  })
  const progress = new ProgressLine()
  try {
    const url = reachable(server.url)
    const baseline = await server.plane.sandboxes.open(sandboxIdOf(BASELINE))
    const { variables, cwd, recover, command, virtualTimeout } = request
    const token = options.controlToken === '' ? undefined : options.controlToken
    const knownIds = new Set(known === undefined ? [] : readReportFile(known))
    const begin = (isTimeVirtual: boolean) => {
      const attempt = (argv: readonly string[]) =>
        commandAttempt({ argv, variables, cwd, url, token, isTimeVirtual, signal }, folders)
      progress.show('learning what the command does when nothing goes wrong')
      return Exploration.begin(server.plane, baseline, attempt(command), {
        ...request,
        virtualTimeout: isTimeVirtual ? virtualTimeout : undefined,
        known: knownIds,
        recover: recover === undefined ? undefined : attempt(['sh', '-c', recover]),
        record: (sandbox) => gzipSync(recordingFromMemory(server.plane, sandbox)),
        keepsSandboxes: stay,
        signal,
        onProgress: (state) => {
          progress.show(inOneLine(state))
        }
      })
    }
    const exploration = await inTheRightTime(request, signal, begin)
    if (replay !== undefined) {
      const key = await tryAgain(exploration, replay)
      progress.clear()
      const { report } = exploration
      const summary = printable(replay.finding.summary)
      console.log(report.findings.length === 0 ? `It does not repeat: ${summary}` : tableOf(report, ''))
      if (stay) {
        console.error(`svc-mock: the server stays at ${url}/_mock/ until Ctrl-C; the key of the run is ${key}`)
        if (!signal.aborted) await once(signal, 'abort')
      }
      return report.findings.length === 0 ? CLEAN : FOUND
    }
    await exploration.all()
    progress.clear()
    results!.write(exploration, command)
    const { report } = exploration
    console.log(tableOf(report, request.report))
    if (signal.aborted) console.error('svc-mock: interrupted; the report has what was found until then')
    if (report.findings.length > 0) return FOUND
    return signal.aborted ? NOT_JUDGED : CLEAN
  } finally {
    progress.clear()
    results?.close()
    server.closeConnections()
    await server.close()
  }
}

/** Begins in virtual time if the command is one that it is for, and in real time if it fails with it. */
async function inTheRightTime(
  { command: [program = ''], isTimeVirtual }: ExploreRequest,
  signal: AbortSignal,
  begin: (isTimeVirtual: boolean) => Promise<Exploration>
): Promise<Exploration> {
  const path = process.env['PATH']
  if (isTimeVirtual === true && !knowsVirtualTime(program, path))
    console.error(`svc-mock: ${program} may be neither Node nor Python, and then it waits in real time`)
  if (isTimeVirtual !== undefined) return begin(isTimeVirtual)
  if (!isInNodeOrPython(program, path)) return begin(false)
  try {
    return await begin(true)
  } catch (error) {
    if (!(error instanceof ExploreError) || signal.aborted) throw error
    const exploration = await begin(false)
    console.error(`svc-mock: time is real, because in virtual time ${error.message}`)
    return exploration
  }
}

/** Tries the plan of a file. @returns the key of the sandbox of its last run */
async function tryAgain(exploration: Exploration, { number, faults, finding }: ExplorePlanFile): Promise<string> {
  const points = new Set(exploration.reference.points.map(({ point }) => nameOf(point)))
  const [{ point }] = faults as [ExplorePlanFile['faults'][number]]
  if (!points.has(nameOf(point)))
    throw new ExploreError(`the plan is for another client: this one does not call ${nameOf(point)}`)
  if (!exploration.isTimeVirtual && faults.some((fault) => kindOf(fault).outcome === 'slow'))
    throw new ExploreError('the plan takes long, and needs --virtual-time')
  const { key } = await exploration.replay({ number, faults }, finding.kind)
  return key
}

const inOneLine = ({ done, plans, findings, title }: ExploreProgress) =>
  `${barOf(done, plans)} ${done} of ${plans}, ${findings} found: ${printable(title)}`

const BAR = 20

function barOf(done: number, all: number): string {
  const full = Math.floor((BAR * done) / Math.max(1, all))
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`
}

/** What was found, the worst first, and what was done. */
function tableOf(report: ExploreReport, folder: string): string {
  const { findings, plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known } = report
  const widest = findings.reduce((most, { kind }) => Math.max(most, kind.length), 0)
  const rows = findings.map(({ kind, summary, plan, also, operation }) => {
    const more = also.length === 0 ? '' : `, also with ${also.join(', ')}`
    return `${kind.padEnd(widest)}  ${printable(summary)}\n${' '.repeat(widest)}  ${operation}, ${plan}${more}`
  })
  const counts = { recovered, reported, undecided, missed, 'not repeated': unrepeated, skipped, known }
  const others = Object.entries(counts).filter(([name, count]) => count > 0 || name.startsWith('re'))
  const last =
    `${findings.length === 0 ? 'Nothing found' : `${findings.length} found`} in ${plans} plans and ${runs} runs: ` +
    others.map(([name, count]) => `${count} ${name}`).join(', ')
  return [...rows, folder === '' ? `${last}.` : `${last}. See ${folder}/report.html.`].join('\n')
}

/** The line of a terminal that says what is being tried. */
class ProgressLine {
  readonly #out = process.stderr

  show(text: string): void {
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${cutAt(text, Math.max(20, this.#out.columns - 1))}`)
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[K')
  }
}

/** Ctrl-C, and what else asks to end: the first time for a partial report, the second time at once. */
class Interrupt {
  readonly #asked = new AbortController()

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.#ask)
  }

  get signal(): AbortSignal {
    return this.#asked.signal
  }

  close(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.#ask)
  }

  readonly #ask = (signal: NodeJS.Signals) => {
    if (this.#asked.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
    this.#asked.abort()
  }
}
