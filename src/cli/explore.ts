import { once } from 'node:events'
import { certificateOf, clauseInWords, type Contract } from '../explore/contract.js'
import type { Exploration } from '../explore/explore.js'
import { ExploreError } from '../explore/explore-error.js'
import { idsIn, titleOf } from '../explore/findings.js'
import { kindOf } from '../explore/plans.js'
import { callInWords, nameOf } from '../explore/points.js'
import type { ExploreProgress, ExploreReport, ExploreSighting } from '../explore/result.js'
import { trialsWith } from '../explore/symptoms.js'
import { type Change, changesBetween, endingsOf } from '../explore/versions.js'
import { listed } from '../explore/words.js'
import { quantity } from '../lib/quantity.js'
import { tellIgnored } from './client-command.js'
import { withExploration } from './exploration.js'
import { type ExploreRequest, readExploreRequest } from './explore-arguments.js'
import { type ExplorePlanFile, readContract, readPlanFile, readReportFile, ResultFolder } from './explore-files.js'
import { print, printError } from './print.js'
import { progress } from './progress-line.js'
import { listenToSignals } from './stop-signal.js'
import { printable } from './table.js'
import { isOfUsage, UsageError } from './usage.js'

/** Exit codes. A usage error has the last one, too. */
const [CLEAN, FOUND, NOT_JUDGED] = [0, 1, 2]

/** Explores the faults that a command does not survive. @returns the exit code */
export async function exploreCommand(args: string[]): Promise<number> {
  const request = readExploreRequest(args, process.env)
  tellIgnored(process.env)
  const { signal, close } = listenToSignals()
  const watcher: Watcher = { signal, onProgress: (state) => progress.show(inOneLine(state)) }
  progress.show('running the command without any fault')
  try {
    return request.replay === undefined
      ? await exploreAll(request, watcher)
      : await replay(request, await readPlanFile(request.replay), watcher)
  } catch (error) {
    progress.clear()
    if (isOfUsage(error)) throw error
    const isInterrupted = error instanceof ExploreError && signal.aborted
    printError(`svc-mock: ${isInterrupted ? 'interrupted before anything was tried' : (error as Error).message}`)
    return NOT_JUDGED
  } finally {
    close()
  }
}

type Watcher = Parameters<typeof withExploration>[1]

const knownIn = async ({ baseline }: ExploreRequest) =>
  new Set(baseline === undefined ? [] : idsIn(await readReportFile(baseline)))

/** Tries one plan again. */
async function replay(request: ExploreRequest, plan: ExplorePlanFile, watcher: Watcher) {
  const { signal } = watcher
  const command = request.command.length > 0 ? request.command : plan.command
  return withExploration({ ...request, command, known: await knownIn(request) }, watcher, async (exploration, url) => {
    const key = await tryAgain(exploration, plan)
    progress.clear()
    const { report } = exploration
    const isFound = report.findings.length > 0
    print(isFound ? tableOf(report, '') : `Not reproduced: ${printable(plan.finding.summary)}`)
    if (request.stay) {
      printError(`svc-mock: the server stays at ${url}/_mock/ until Ctrl+C; the key of the run is ${key}`)
      if (!signal.aborted) await once(signal, 'abort')
    }
    return isFound ? FOUND : CLEAN
  })
}

/** Tries all plans, and prints the findings, the changes, or the causes of a symptom. */
async function exploreAll(request: ExploreRequest, watcher: Watcher): Promise<number> {
  const { since, why } = request
  const contract = request.contract === undefined ? undefined : await readContract(request.contract)
  const only = contract === undefined ? request.only : planned(contract, request.only)
  const asked = { ...request, only, known: await knownIn(request) }
  const before = since === undefined ? undefined : (await readReportFile(since)).endings
  const results = new ResultFolder(request.report, request.contract)
  const { signal } = watcher
  return withExploration(asked, watcher, async (exploration) => {
    await exploration.all()
    progress.clear()
    await results.write(exploration, request)
    const { report } = exploration
    if (why === undefined) print(tableOf(report, request.report))
    if (process.env['GITHUB_ACTIONS'] === 'true') for (const finding of report.findings) print(annotationOf(finding))
    if (signal.aborted) {
      printError('svc-mock: interrupted; the report has the findings so far')
      return report.findings.length > 0 ? FOUND : NOT_JUDGED
    }
    if (why !== undefined) return explain(why, exploration)
    if (contract !== undefined) return check(contract, exploration, results, request.report)
    const earlier = before ?? (await endingsBefore(asked, exploration, watcher))
    progress.clear()
    if (earlier === undefined) return report.findings.length > 0 ? FOUND : CLEAN
    const changes = changesBetween(earlier, report.endings)
    print(changesIn(changes, `${changes.length} of ${exploration.trials.length}`))
    return changes.some(({ isWorse }) => isWorse) ? FOUND : CLEAN
  })
}

/** How the plans end with the version of `--against`, if it is given. */
async function endingsBefore(request: ExploreRequest, { isTimeVirtual }: Exploration, watcher: Watcher) {
  if (request.against === undefined) return undefined
  const other = { ...request, command: ['sh', '-c', request.against], isTimeVirtual }
  return withExploration(other, watcher, async (exploration) => {
    await exploration.all()
    return endingsOf(exploration.trials)
  })
}

/** The chosen plans that a contract covers. */
function planned({ rules }: Contract, among: ExploreRequest['only']): ExploreRequest['only'] {
  const plans = new Set(rules.flatMap(({ on }) => on))
  const chosen = among.filter((name) => plans.has(name))
  if (chosen.length === 0) throw new UsageError('--only and --except leave no plan that the contract covers')
  return chosen
}

/** Prints whether the client keeps a contract. @returns the exit code */
function check(contract: Contract, { trials, report }: Exploration, results: ResultFolder, folder: string): number {
  const certificate = certificateOf(contract, trials)
  results.writeCertificate(certificate)
  const { kept, broken, unknown, clauses } = certificate
  for (const clause of clauses) if (clause.is_kept === false) print(`broken  ${printable(clauseInWords(clause))}`)
  print(`Contract: ${kept} kept, ${broken} broken, ${unknown} unknown. See ${folder}/contract.html.`)
  return broken > 0 || report.findings.length > 0 ? FOUND : CLEAN
}

/** Prints the plans that cause a symptom. @returns the exit code */
function explain(symptom: string, { trials }: Exploration): number {
  const causes = trialsWith(symptom, trials)
  for (const { plan, problem, symptoms } of causes)
    print(`${titleOf(plan)}: ${printable(problem?.summary ?? `The client ${symptoms}.`)}`)
  print(`${causes.length === 0 ? 'None' : causes.length} of ${trials.length} plans cause this symptom.`)
  return causes.length > 0 ? CLEAN : FOUND
}

function changesIn(changes: readonly Change[], count: string): string {
  const rows = changes.map(
    ({ plan, isWorse, before, now }) =>
      `${isWorse ? 'worse ' : 'better'}  ${printable(plan)}: ${before} before, ${now} now`
  )
  return [...rows, `Compared with the other version, ${count} plans end differently.`].join('\n')
}

/** Tries the plan of a file. @returns the key of the sandbox of its last run */
async function tryAgain(exploration: Exploration, { number, faults, finding }: ExplorePlanFile): Promise<string> {
  const points = new Set(exploration.reference.points.map(({ point }) => nameOf(point)))
  const [{ point }] = faults as [ExplorePlanFile['faults'][number]]
  if (!points.has(nameOf(point)))
    throw new ExploreError(`the plan is for another client: this one does not call ${nameOf(point)}`)
  if (!exploration.isTimeVirtual && faults.some((fault) => kindOf(fault).outcome === 'slow'))
    throw new ExploreError('the plan needs --virtual-time, because it takes long')
  const { key } = await exploration.replay({ number, faults }, finding.kind)
  return key
}

const inOneLine = ({ done, plans, findings, title }: ExploreProgress) =>
  `${done} of ${plans}, ${findings} found: ${title}`

/** Maximum number of leftovers that are listed. */
const MOST_NAMED = 8

/** The findings, the worst first, and the counts. */
function tableOf(report: ExploreReport, folder: string): string {
  const { findings, plans, runs, recovered, reported, undecided, missed, unrepeated, skipped, known } = report
  const { leaves, questions } = report
  const widest = findings.reduce((most, { kind }) => Math.max(most, kind.length), 0)
  const indent = ' '.repeat(widest)
  const rows = findings.map(({ kind, summary, elsewhere, ...first }) =>
    [
      `${kind.padEnd(widest)}  ${printable(summary)}`,
      `${indent}  ${placeOf(first)}`,
      ...elsewhere.map((other) => `${indent}  the same: ${placeOf(other)}`)
    ].join('\n')
  )
  const counts = { recovered, reported, undecided, missed, 'not repeated': unrepeated, skipped, known }
  const left = leaves.length === 0 ? 'nothing' : listed(leaves.slice(0, MOST_NAMED))
  const more = leaves.length > MOST_NAMED ? `, and ${leaves.length - MOST_NAMED} more` : ''
  const usual = `Without any fault, the client leaves ${printable(left)}${more}.`
  const asked = questions.map((text) => `Is this intended? Without any fault, ${printable(text)}.`)
  const others = Object.entries(counts).filter(([name, count]) => count > 0 || name.startsWith('re'))
  const found = findings.length === 0 ? 'Nothing found' : `${findings.length} found`
  const results = others.map(([name, count]) => `${count} ${name}`).join(', ')
  const place = folder === '' ? '' : ` See ${folder}/report.html.`
  const last = `${found} in ${quantity(plans, 'plan')} and ${quantity(runs, 'run')}: ${results}.${place}`
  return [...rows, usual, ...asked, last].join('\n')
}

function placeOf({ plan, also, ...call }: Omit<ExploreSighting, 'summary'>): string {
  const place = `${printable(callInWords(call))}, ${plan}`
  return also.length === 0 ? place : `${place}, also with ${also.join(', ')}`
}

/** A finding as a workflow command, from which GitHub makes an annotation. */
function annotationOf({ kind, summary }: ExploreReport['findings'][number]): string {
  const text = printable(summary).replaceAll('%', '%25')
  return `::error title=svc-mock explore%3A ${kind}::${text}`
}
