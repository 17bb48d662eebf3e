import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { Exchange } from '../fidelity/exchange.js'
import { HarFile } from '../fidelity/har/file.js'
import type { Plan } from '../fidelity/live/plan.js'
import { CredentialError, PlanError, StepError } from '../fidelity/live/plan-error.js'
import { LIFE_CYCLE, READ_ONLY } from '../fidelity/live/plans.js'
import { readPlan } from '../fidelity/live/read-plan.js'
import { type Progress, runPlan } from '../fidelity/live/run-plan.js'
import { Masker } from '../fidelity/masking/masker.js'
import { vocabularyOf } from '../fidelity/masking/vocabulary.js'
import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import { fileProblem } from '../lib/file-problem.js'
import type { Profile } from '../profile/profile.js'
import { maskKeyIn } from './mask-key.js'
import { printError } from './print.js'
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
  /** For its placeholders. */
  readonly values: Readonly<Record<string, string>>
  readonly mayCreate: boolean
  readonly isConfirmed: boolean
  readonly out: string | undefined
  /** Whether an existing file is replaced. */
  readonly force: boolean
  /** File of the secret that masking depends on. */
  readonly maskKeyFile: string | undefined
}

type LiveFlags = Readonly<
  Partial<
    Record<'live' | 'key' | 'session' | 'plan' | 'out' | 'mask-key', string> &
      Record<'create' | 'yes' | 'force', boolean> &
      Record<'set', readonly string[]>
  >
>

/** What calling a service has brought. */
interface Taken {
  /** They are masked. */
  readonly exchanges: readonly Exchange[]
  /** Why the plan has failed, which the user has been told; undefined: it has not. */
  readonly problem?: string
}

/** @returns undefined if files are to be read instead @throws {UsageError} */
export function liveRequest(flags: LiveFlags, environment: Environment): LiveRequest | undefined {
  const { live: url, plan, create = false, yes = false, out, force = false, set = [], 'mask-key': maskKeyFile } = flags
  if (url === undefined) {
    const other = (['key', 'session', 'plan', 'create', 'set', 'yes', 'out', 'force', 'mask-key'] as const).find(
      (name) => flags[name] !== undefined
    )
    if (other !== undefined) throw new UsageError(`--${other} is for --live`)
    return undefined
  }
  checkAddress(url)
  if (plan !== undefined && create) throw new UsageError('--plan and --create are both a plan; give one of them')
  for (const name of ['key', 'session', 'plan', 'out', 'mask-key'] as const)
    if (flags[name] === '') throw new UsageError(`--${name} needs a value`)
  if (force && out === undefined) throw new UsageError('--force says nothing without --out')
  const key = flags.key ?? given(environment, KEY)
  const session = flags.session ?? given(environment, SESSION)
  if (key === undefined && session === undefined)
    throw new UsageError(`--live needs --key or --session, or ${KEY} or ${SESSION}`)
  return {
    url,
    key,
    session,
    plan,
    values: valuesOf(set),
    mayCreate: create,
    isConfirmed: yes,
    out,
    force,
    maskKeyFile
  }
}

const [KEY, SESSION] = ['SVC_MOCK_LIVE_KEY', 'SVC_MOCK_LIVE_SESSION'] as const

/** A variable that is empty is as good as none. */
const given = (environment: Environment, name: string) => environment[name] || undefined

function checkAddress(text: string): void {
  // The text may have a password in it.
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new UsageError('--live must be an http or https URL')
  const { username, password, search, hash } = new URL(text)
  if (username + password !== '') throw new UsageError('--live takes no user or password: give --key or --session')
  if (search + hash !== '') throw new UsageError('--live takes no query, but may have a path')
}

function valuesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? []
      if (name === undefined) throw new UsageError('--set needs NAME=VALUE, such as cloud_provider_id=…')
      return [name, value!]
    })
  )
}

/**
 * Calls a service by a plan. Ctrl+C ends it early, once what it has made is removed.
 * @param profile whose words the service is expected to have
 * @throws {UsageError} if the plan, the file or the credential cannot be used, or nobody agrees to the changes
 */
export async function callService(request: LiveRequest, profile: Profile, progress: ProgressLine): Promise<Taken> {
  const { url, key, session, out, values, force, maskKeyFile } = request
  const plan = request.mayCreate ? LIFE_CYCLE : await planOf(request.plan)
  await confirm(request, plan)
  const masker = new Masker({ key: await maskKeyIn(maskKeyFile), keep: [], vocabulary: vocabularyOf(profile) })
  const { protocol, host } = new URL(url)
  const origin = `${protocol}//${masker.maskHost(host)}`
  const file = out === undefined ? undefined : await HarFile.create(out, origin, force).catch(refuse(out))
  const stop = new AbortController()
  const onSignal = () => {
    onRemark('ending; what the plan has made is removed first')
    stop.abort()
  }
  const onRemark = (remark: string) => {
    progress.clear()
    printError(`svc-mock: ${remark}`)
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const exchanges: Exchange[] = []
  try {
    const onStep = (step: Progress) => {
      progress.show(progressOf(step))
    }
    const { signal } = stop
    for await (const passed of runPlan({ url, key, session, plan, values, profile, signal, onStep, onRemark })) {
      const exchange = masker.maskExchange(passed)
      exchanges.push({ ...exchange, number: exchanges.length + 1 })
      await file?.append(exchange)
    }
  } catch (error) {
    if (!(error instanceof PlanError)) throw error
    const problem = problemOf(error)
    if (error instanceof CredentialError) throw new UsageError(problem)
    onRemark(problem)
    return { exchanges, problem }
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await file?.close()
  }
  return { exchanges }
}

function progressOf({ operation, call, seen, waited = 0 }: Progress): string {
  const wait = waited === 0 ? '' : `, ${seen ?? 'no answer'}, waited ${Math.round(waited / 1000)} s`
  return `call ${call}: ${operation}${wait}`
}

/** What has failed, and what the user can do about it. */
function problemOf(error: PlanError): string {
  if (error instanceof CredentialError) {
    const [flag, variable] = { key: ['--key', KEY], session: ['--session', SESSION] }[error.credential]
    return `${error.message}; check ${flag} or ${variable}`
  }
  const missing = error instanceof StepError ? error.missing : []
  const advice = missing.map((name) => `--set ${name}=VALUE`).join(' ')
  return missing.length === 0 ? error.message : `${error.message} (you can give ${advice})`
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
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${file} exists; --force replaces it`)
    throw new UsageError(`--out ${file} ${fileProblem(error, 'written')}`)
  }
