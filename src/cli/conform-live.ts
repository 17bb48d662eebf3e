import type { Exchange } from '../fidelity/exchange.js'
import { HarFile } from '../fidelity/har/file.js'
import { LiveError, readService } from '../fidelity/live.js'
import { Masker } from '../fidelity/masking/masker.js'
import { vocabularyOf } from '../fidelity/masking/vocabulary.js'
import { fileProblem } from '../lib/file-problem.js'
import type { Profile } from '../profile/profile.js'
import { maskKeyIn } from './mask-key.js'
import type { ProgressLine } from './progress-line.js'
import type { Environment } from './target.js'
import { UsageError } from './usage.js'

const OF_LIVE = ['key', 'session', 'out', 'force', 'mask-key'] as const
const VARIABLES = { key: 'SVC_MOCK_LIVE_KEY', session: 'SVC_MOCK_LIVE_SESSION' } as const

type LiveFlags = Readonly<Partial<Record<'live' | 'key' | 'session' | 'out' | 'mask-key', string | undefined>>> & {
  readonly force?: boolean | undefined
}

/** What `svc-mock conform --live` is asked for. */
type LiveRequest = Omit<LiveFlags, 'live'> & { readonly url: string }

/** @returns undefined if files are to be read instead @throws {UsageError} */
export function liveRequest({ live: url, ...flags }: LiveFlags, environment: Environment): LiveRequest | undefined {
  if (url === undefined) {
    const other = OF_LIVE.find((name) => flags[name] !== undefined)
    if (other !== undefined) throw new UsageError(`--${other} is for --live`)
    return undefined
  }
  // The text may have a password in it.
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new UsageError('--live must be an http or https URL')
  const { username, password, search, hash } = new URL(url)
  if (username + password !== '') throw new UsageError('--live takes no user or password: give --key or --session')
  if (search + hash !== '') throw new UsageError('--live takes no query, but may have a path')
  for (const name of OF_LIVE) if (flags[name] === '') throw new UsageError(`--${name} needs a value`)
  if (flags.force === true && flags.out === undefined) throw new UsageError('--force says nothing without --out')
  // A variable that is empty is as good as none.
  const credential = (name: 'key' | 'session') => flags[name] ?? (environment[VARIABLES[name]] || undefined)
  const [key, session] = [credential('key'), credential('session')]
  if (key === undefined && session === undefined)
    throw new UsageError(`--live needs --key or --session, or ${VARIABLES.key} or ${VARIABLES.session}`)
  return { ...flags, url, ...(key && { key }), ...(session && { session }) }
}

/**
 * Reads a service.
 * @param profile whose paths and names the service is expected to have
 * @returns the exchanges, masked
 * @throws {UsageError} if the service, the file or the credential cannot be used
 */
export async function callService(request: LiveRequest, profile: Profile, progress: ProgressLine): Promise<Exchange[]> {
  const { url, key, session, out, force = false, 'mask-key': maskKeyFile } = request
  const masker = new Masker({ key: await maskKeyIn(maskKeyFile), keep: [], vocabulary: vocabularyOf(profile) })
  const { protocol, host } = new URL(url)
  const origin = `${protocol}//${masker.maskHost(host)}`
  const file = out === undefined ? undefined : await HarFile.create(out, origin, force).catch(refuse(out))
  const exchanges: Exchange[] = []
  const onCall = (operation: string, call: number) => {
    progress.show(`call ${call}: ${operation}`)
  }
  try {
    for await (const passed of readService({ url, key, session, profile, onCall })) {
      const exchange = { ...masker.maskExchange(passed), number: exchanges.length + 1 }
      exchanges.push(exchange)
      await file?.append(exchange)
    }
  } catch (error) {
    if (!(error instanceof LiveError)) throw error
    const { message, credential } = error
    throw new UsageError(
      credential === undefined ? message : `${message}; check --${credential} or ${VARIABLES[credential]}`
    )
  } finally {
    await file?.close()
  }
  return exchanges
}

const refuse =
  (file: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${file} exists; --force replaces it`)
    throw new UsageError(`--out ${file} ${fileProblem(error, 'written')}`)
  }
