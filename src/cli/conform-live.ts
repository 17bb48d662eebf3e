import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Exchange } from '../fidelity/exchange.js'
import { HarFile } from '../fidelity/har/file.js'
import { type Plan, PlanError, readPlan } from '../fidelity/live/plan.js'
import { LIFE_CYCLE, READ_ONLY } from '../fidelity/live/plans.js'
import { runPlan } from '../fidelity/live/run-plan.js'
import { Masker } from '../fidelity/masking/masker.js'
import { fileProblem } from '../lib/file-problem.js'
import { OPERATION_ROUTES } from '../lib/operation-routes.js'
import type { ProgressLine } from './progress-line.js'
import type { Environment } from './target.js'
import { UsageError } from './usage.js'

/** What `svc-mock conform --live` is asked for. */
interface LiveRequest {
  readonly url: string
  readonly key: string | undefined
  readonly session: string | undefined
  /** File of the plan. */
  readonly plan: string | undefined
  readonly mayCreate: boolean
  readonly isConfirmed: boolean
  readonly out: string | undefined
}

type LiveFlags = Readonly<Record<'live' | 'key' | 'session' | 'plan' | 'out', string | undefined>> &
  Readonly<Record<'create' | 'yes', boolean | undefined>>

/** @returns undefined if files are to be read instead @throws {UsageError} */
export function liveRequest(flags: LiveFlags, environment: Environment): LiveRequest | undefined {
  const { live: url, plan, create = false, yes = false, out } = flags
  if (url === undefined) {
    const other = (['key', 'session', 'plan', 'create', 'yes', 'out'] as const).find(
      (name) => flags[name] !== undefined
    )
    if (other !== undefined) throw new UsageError(`--${other} is for --live`)
    return undefined
  }
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new UsageError('--live must be an http or https URL')
  if (plan !== undefined && create) throw new UsageError('--plan and --create are both a plan; give one of them')
  const key = flags.key ?? environment['SVC_MOCK_LIVE_KEY']
  const session = flags.session ?? environment['SVC_MOCK_LIVE_SESSION']
  if (key === undefined && session === undefined)
    throw new UsageError('--live needs --key or --session, or SVC_MOCK_LIVE_KEY or SVC_MOCK_LIVE_SESSION')
  return { url, key, session, plan, mayCreate: create, isConfirmed: yes, out }
}

/**
 * Calls a service by a plan. Ctrl+C ends it early, once what it has made is removed.
 * @returns the exchanges, masked
 * @throws {UsageError} if the plan or the file cannot be used, or nobody agrees to the changes
 */
export async function exchangesOf(request: LiveRequest, progress: ProgressLine): Promise<Exchange[]> {
  const { url, key, session, out } = request
  const plan = request.mayCreate ? LIFE_CYCLE : await planOf(request.plan)
  await confirm(request, plan)
  const masker = new Masker()
  const { protocol, host } = new URL(url)
  const origin = `${protocol}//${masker.maskHost(host)}`
  const file = out === undefined ? undefined : await HarFile.create(out, origin, false).catch(refuse(out))
  const stop = new AbortController()
  const onSignal = () => {
    progress.clear()
    console.error('svc-mock: ending; what the plan has made is removed first')
    stop.abort()
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const exchanges: Exchange[] = []
  try {
    const onStep = ({ operation, call }: { readonly operation: string; readonly call: number }) => {
      progress.show(`call ${call}: ${operation}`)
    }
    for await (const passed of runPlan({ url, key, session, plan, signal: stop.signal, onStep })) {
      const exchange = masker.maskExchange(passed)
      exchanges.push({ ...exchange, number: exchanges.length + 1 })
      await file?.append(exchange)
    }
  } catch (error) {
    if (!(error instanceof PlanError)) throw error
    progress.clear()
    console.error(`svc-mock: ${error.message}; what was seen until then is compared`)
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await file?.close()
  }
  return exchanges
}

async function planOf(file: string | undefined): Promise<Plan> {
  if (file === undefined) return READ_ONLY
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file} ${fileProblem(error, 'read')}`)
  })
  return readPlan(text).catch((error: unknown) => {
    throw error instanceof PlanError ? new UsageError(`${file} is no plan: ${error.message}`) : error
  })
}

/** Asks before a plan changes something, which may cost money. */
async function confirm({ url, isConfirmed }: LiveRequest, { steps, finally: last = [] }: Plan): Promise<void> {
  const changes = [...steps, ...last].some(({ operation }) => OPERATION_ROUTES[operation].method !== 'GET')
  if (!changes || isConfirmed) return
  if (!process.stdin.isTTY) throw new UsageError('the plan changes the service, which may cost money; give --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`This changes ${new URL(url).host}, and may cost money. Go on? [y/N] `)
  terminal.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError('nothing was called')
}

const refuse =
  (file: string) =>
  (error: unknown): never => {
    throw new UsageError(`--out ${file} ${fileProblem(error, 'written')}`)
  }
