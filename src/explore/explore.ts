import { kept } from '../lib/kept.js'
import { machineTime } from '../lib/time.js'
import type { ControlPlane } from '../resources/control-plane.js'
import type { Sandbox } from '../sandboxes/sandbox.js'
import { detailOf } from './detail.js'
import { keyOf } from './end-state.js'
import type { FindingKind } from './finding-kinds.js'
import {
  findingsOf,
  type Found,
  idOf,
  inconsistenciesIn,
  type Plan,
  saysRetryLater,
  sightingsOf,
  titleOf,
  type Trial,
  withoutEvidence
} from './findings.js'
import { judge } from './judge.js'
import { type ExploreFault, familyOf, faultsAt, isLate, PLAN_NAMES, type PlanName, USUAL_PLANS } from './plans.js'
import { callOf, nameOf } from './points.js'
import { againIn, localIn, plannable, type Reference, ReferenceFailed, referenceOf, repeatsOf } from './reference.js'
import type { ExploreProgress, ExploreReport } from './result.js'
import { type Attempt, type Client, type Limits, type Run, Runner } from './run.js'
import { symptomsOf } from './symptoms.js'
import { endingsOf } from './versions.js'

export interface Settings extends Limits {
  /** Milliseconds after which no plan is begun. */
  readonly budget: number
  /** Number of plans that run at once. */
  readonly jobs: number
  readonly maxPlans: number
  /** The kinds of plans to try; the usual ones if absent. */
  readonly only?: readonly PlanName[] | undefined
  /** Whether to try a second fault at points that occur only after a first one. */
  readonly pairs: boolean
  /** The client in real time, if its time is virtual. */
  readonly inRealTime?: Client | undefined
  /** Whether each run may create its own copies. */
  readonly oneShot: boolean
  /** Makes the recording of a run that shows a problem. */
  readonly record?: ((sandbox: Sandbox) => Uint8Array) | undefined
  /** Whether sandboxes stay after their run. */
  readonly keepsSandboxes?: boolean
  /** Ids of findings to omit. */
  readonly known?: ReadonlySet<string>
  /** Ends the exploration early. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ExploreProgress) => void) | undefined
}

/** A second attempt at a plan may take this many times as long, in case the client is only slow. */
const PATIENCE = 3

/** These may depend on the machine's load, so each one is tried again. */
const TIMED: readonly FindingKind[] = ['hang', 'impolite']

const patient = ({ timeout, virtualTimeout, patience }: Limits): Limits => ({
  timeout: timeout * PATIENCE,
  virtualTimeout: virtualTimeout === undefined ? undefined : virtualTimeout * PATIENCE,
  patience
})

interface LimitedClient {
  readonly client: Client
  readonly limits: Limits
}

/** A search for faults that a client does not survive. */
export class Exploration {
  readonly reference: Reference
  /** The plans with one fault, the most revealing first. */
  readonly plans: readonly Plan[]
  /** The results so far. */
  readonly trials: Trial[] = []
  readonly #runner: Runner
  readonly #usual: LimitedClient
  readonly #patient: LimitedClient
  /** If its time is virtual otherwise. */
  readonly #inRealTime: LimitedClient | undefined
  readonly #settings: Settings
  /** Families of faults after which the client hangs in real time, too. */
  readonly #hangs = new Set<string>()
  #numbers: number
  #deadline = Infinity
  /** Questions that need more runs than the reference. */
  #questions: readonly string[] = []
  #skipped = 0

  private constructor(runner: Runner, client: Client, reference: Reference, settings: Settings) {
    const { only = USUAL_PLANS, maxPlans, timeout, virtualTimeout, patience, inRealTime } = settings
    const limits = { timeout, virtualTimeout, patience }
    const faults = faultsAt(reference.points, virtualTimeout !== undefined)
      .filter(({ kind }) => only.includes(kind))
      .sort((a, b) => PLAN_NAMES.indexOf(a.kind) - PLAN_NAMES.indexOf(b.kind))
    this.reference = reference
    this.plans = faults.slice(0, maxPlans).map((fault, index) => ({ number: index + 1, faults: [fault] }))
    this.#skipped = faults.length - this.plans.length
    this.#numbers = this.plans.length
    this.#runner = runner
    this.#usual = { client, limits }
    this.#patient = { client, limits: patient(limits) }
    this.#inRealTime = inRealTime && { client: inRealTime, limits: { timeout } }
    this.#settings = settings
  }

  /**
   * Observes the client without any fault.
   * @param baseline the sandbox with whose contents each run begins
   * @throws {ExploreError} if the client cannot be judged
   */
  static async begin(plane: ControlPlane, baseline: Sandbox, client: Client, settings: Settings): Promise<Exploration> {
    const runner = new Runner(plane, baseline)
    const learn = (hasToWait: boolean) => referenceOf(runner, client.attempt, { ...patient(settings), hasToWait })
    const isVirtual = settings.virtualTimeout !== undefined
    // In virtual time, the client's behaviour until a transition ends is worth exploring.
    const reference = await learn(isVirtual).catch(async (error: unknown) => {
      if (!(error instanceof ReferenceFailed) || !isVirtual) throw error
      const reference = await learn(false)
      const question = `the client fails unless transitions are instant (${error.reason})`
      return { ...reference, questions: [question, ...reference.questions] }
    })
    return new Exploration(runner, client, reference, settings)
  }

  /** Tries all plans, several at once. */
  async all(): Promise<void> {
    const { budget, pairs } = this.#settings
    this.#deadline = machineTime() + budget
    // Plans with late replies come first: while they wait, others run.
    const late = this.plans.filter(({ faults }) => faults.some(isLate))
    await this.#each([...late, ...this.plans.filter((plan) => !late.includes(plan))])
    if (pairs) await this.#tryPairs()
    for (const { trial, other } of inconsistenciesIn(this.trials)) await this.#tryAgain([trial, other])
    if (!this.#isOver) await this.#ask()
  }

  async #tryPairs(): Promise<void> {
    const seen = new Set<string>()
    const pairs = this.trials
      .flatMap(({ next }) => next)
      .filter((faults) => {
        // A call may begin several transitions.
        const names = faults.map(({ kind, point, transition = '' }) => `${kind} ${nameOf(point)} ${transition}`)
        const name = names.join(', ')
        return !seen.has(name) && seen.add(name)
      })
    const room = Math.max(0, this.#settings.maxPlans - this.plans.length)
    this.#skipped += Math.max(0, pairs.length - room)
    await this.#each(pairs.slice(0, room).map((faults) => ({ number: ++this.#numbers, faults })))
  }

  /** Whether no further plan is begun. */
  get #isOver(): boolean {
    return machineTime() >= this.#deadline || this.#settings.signal?.aborted === true
  }

  async #each(plans: readonly Plan[]): Promise<void> {
    const { jobs, onProgress } = this.#settings
    let next = 0
    const impolite: Trial[] = []
    const work = async () => {
      while (next < plans.length && !this.#isOver) {
        const plan = plans[next++]!
        onProgress?.({
          done: this.trials.length,
          plans: this.#numbers,
          findings: this.findings.length,
          title: titleOf(plan)
        })
        const trial = await this.#judge(plan, this.#usual)
        if (trial.problem?.kind === 'impolite') impolite.push(trial)
        else await this.#confirm(trial)
      }
    }
    await Promise.all(Array.from({ length: Math.min(jobs, plans.length) }, work))
    // Pauses mean little while other runs keep the machine busy.
    for (const trial of impolite) await this.#confirm(trial)
    this.#skipped += plans.length - next
  }

  /** Tries a plan, and again if it shows a new problem: only problems that repeat are reported. */
  async try(plan: Plan): Promise<Trial> {
    return this.#confirm(await this.#judge(plan, this.#usual))
  }

  async #confirm(found: Trial): Promise<Trial> {
    const { plan } = found
    let trial = found
    if (trial.result === 'problem' && !this.#isKnown(trial)) {
      const second = await this.#judgeAgain(plan)
      // A slow client is judged by the run that it could finish.
      const isSlow = isHang(trial) && !isHang(second)
      const [first, last] =
        isSlow && second.result === 'problem' ? [second, await this.#judgeAgain(plan)] : [trial, second]
      trial = isSlow && second.result !== 'problem' ? second : repeated(first, last)
    }
    // How an interrupted client ends says nothing.
    if (this.#settings.signal?.aborted === true) this.#skipped++
    else this.trials.push(trial)
    return trial
  }

  /** Gives the client more time, and if it still hangs, real time, in which it may have a limit. */
  async #judgeAgain(plan: Plan): Promise<Trial> {
    const trial = await this.#judge(plan, this.#patient)
    const cause = familyOf(plan.faults.at(-1)!)
    if (this.#inRealTime === undefined || !isHang(trial) || this.#hangs.has(cause)) return trial
    const another = await this.#judge(plan, this.#inRealTime)
    if (!isHang(another) && another.result !== 'undecided') return another
    this.#hangs.add(cause)
    return trial
  }

  /** Whether the same bug was found before, by another fault at the same call or in the baseline. */
  #isKnown({ plan, problem }: Trial): boolean {
    const id = idOf(plan, problem!)
    const wasFound = () => this.trials.some((trial) => trial.problem && idOf(trial.plan, trial.problem) === id)
    return this.#isInBaseline(id) || (!TIMED.includes(problem!.kind) && wasFound())
  }

  /** Tries a plan that showed a problem, and the plans that it was compared with. */
  async replay(plan: Plan, kind: FindingKind): Promise<Trial> {
    const [{ point }] = plan.faults as [ExploreFault]
    const others = this.plans.filter(
      ({ faults: [fault] }) => callOf(fault!.point) === callOf(point) && saysRetryLater(fault!)
    )
    if (kind === 'inconsistent') for (const other of others) await this.try(other)
    return this.try(plan)
  }

  /** Tries trials again that only together make a finding. */
  async #tryAgain(trials: readonly Trial[]): Promise<void> {
    for (const trial of trials) {
      if (this.#settings.signal?.aborted === true) return
      const { result } = await this.#judge(trial.plan, this.#patient)
      if (result !== trial.result) this.trials[this.trials.indexOf(trial)] = { ...trial, result: 'unrepeated' }
    }
  }

  async #judge(plan: Plan, limited: LimitedClient): Promise<Trial> {
    const { client, limits } = limited
    const { attempt, recover = attempt } = client
    const runner = this.#runner
    const { masking, hasToWait } = this.reference
    const { keepsSandboxes = false, record, pairs } = this.#settings
    const { faults } = plan
    const run = await runner.run(attempt, { masking, hasToWait, faults, looksBack: pairs, ...limits })
    // A client that is slow, beside others, may not have come as far as the fault.
    if (limited === this.#usual && run.ending === 'hung' && run.hits.some((hits) => hits.length === 0)) {
      runner.forget(run)
      return this.#judge(plan, this.#patient)
    }
    const judgement = await judge(
      {
        reference: this.reference,
        faults,
        recover: (after) => runner.run(recover, { masking, ...limits, after }),
        hasRecovery: client.recover !== undefined,
        isOneShot: this.#settings.oneShot,
        second: async () => (await this.#runTwice())[1],
        release: (held) => runner.release(held, masking),
        isPatient: limited !== this.#usual
      },
      run
    )
    const { result, problem, recovery: again } = judgement
    const runs = again === undefined ? [run] : [run, again]
    const isEvidence = result === 'problem' || result === 'reported'
    const detail = isEvidence ? { detail: detailOf(this.reference, run, judgement, record) } : {}
    const next = pairs && problem === undefined && faults.length === 1 ? this.#pairsAfter(faults, run) : []
    for (const each of runs)
      if (keepsSandboxes) each.sandbox.chooseFault = undefined
      else runner.forget(each)
    const symptoms = symptomsOf(run, judgement)
    const wasSentAgain = repeatsOf(this.reference.run, run, faults.at(-1)!) > 0
    const { key } = again ?? run
    return { plan, result, ...(problem && { problem }), wasSentAgain, symptoms, ...detail, key, next }
  }

  /** Two successive runs without any fault. */
  readonly #runTwice = kept(async () => {
    const { client, limits } = this.#patient
    const { masking, hasToWait } = this.reference
    const first = await this.#runner.run(client.attempt, { masking, hasToWait, ...limits })
    const second = await this.#runner.run(client.attempt, { masking, ...limits, after: first })
    for (const each of [first, second]) this.#runner.forget(each)
    return [first, second] as const
  })

  /** Runs the client twice in a row, and in another time zone, without any fault. */
  async #ask(): Promise<void> {
    const { elsewhere, attempt } = this.#patient.client
    const { run } = this.reference
    const local =
      elsewhere === undefined ? [] : await localIn(run, await this.#runOnce(elsewhere), () => this.#runOnce(attempt))
    const again = this.#settings.oneShot ? [] : againIn(...(await this.#runTwice()))
    this.#questions = [...again, ...local]
  }

  async #runOnce(attempt: Attempt): Promise<Run> {
    const { masking, hasToWait } = this.reference
    const run = await this.#runner.run(attempt, { masking, hasToWait, ...this.#patient.limits })
    this.#runner.forget(run)
    return run
  }

  #pairsAfter(faults: readonly ExploreFault[], run: Run): (readonly ExploreFault[])[] {
    const { only = USUAL_PLANS } = this.#settings
    const usual = new Set(this.reference.run.seen.map(({ point }) => nameOf(point)))
    const points = plannable(this.#runner.plane, run).filter(({ point }) => !usual.has(nameOf(point)))
    return faultsAt(points, this.isTimeVirtual)
      .filter(({ kind }) => only.includes(kind))
      .map((second) => [...faults, second])
  }

  get isTimeVirtual(): boolean {
    return this.#settings.virtualTimeout !== undefined
  }

  /** Whether the client, or a program that it starts, sleeps by the sandbox's clock. */
  get sleepsByClock(): boolean {
    return this.reference.run.sandbox.sleepers?.wereUsed === true
  }

  /** The new findings so far, with their evidence. */
  get findings(): readonly Found[] {
    return findingsOf(sightingsOf(this.trials).filter(({ id }) => !this.#isInBaseline(id)))
  }

  #isInBaseline(id: string): boolean {
    return this.#settings.known?.has(id) === true
  }

  /** The report so far. */
  get report(): ExploreReport {
    const count = (wanted: Trial['result']) => this.trials.filter(({ result }) => result === wanted).length
    return {
      format: 1,
      plans: this.trials.length,
      runs: this.#runner.runs,
      recovered: count('recovered'),
      reported: count('reported'),
      undecided: count('undecided'),
      missed: count('missed'),
      unrepeated: count('unrepeated'),
      skipped: this.#skipped,
      known: sightingsOf(this.trials).filter(({ id }) => this.#isInBaseline(id)).length,
      leaves: leftIn(this.reference),
      questions: [...this.reference.questions, ...this.#questions],
      endings: endingsOf(this.trials),
      findings: this.findings.map(withoutEvidence)
    }
  }
}

/** The resources that the client created and did not remove, without any fault. */
function leftIn({ start, run: { end } }: Reference): string[] {
  const before = new Set(start.map(keyOf))
  return end.map(keyOf).filter((key) => !before.has(key))
}

const isHang = ({ problem }: Trial) => problem?.kind === 'hang'

/** The first of two trials, if both show the same problem. */
function repeated(first: Trial, second: Trial): Trial {
  const { problem, ...trial } = first
  const isSame = problem?.kind === second.problem?.kind && problem?.subject === second.problem?.subject
  return isSame ? first : { ...trial, result: 'unrepeated' }
}
