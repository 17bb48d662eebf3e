import { setTimeout as sleep } from 'node:timers/promises'
import { checkUrl, DEFAULT_URL, parseCommandLine, UsageError } from './usage.js'

const HELP = `Usage: svc-mock wait [options]

Waits until a server is ready, i.e. until its /_mock/ready answers 200.
Exits with 0 then, and with 1 if that takes too long.

Options:
  --url URL
      Where the server listens. Default: ${DEFAULT_URL}.
  --timeout DURATION
      How long to wait, such as 500ms, 30s or 2m. Default: 30s.`

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }
const PAUSE_MS = 100
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Waits for a server. @returns the exit code */
export async function waitCommand(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(HELP)
    return 0
  }
  const { url, timeoutMs } = read(args)
  const end = Date.now() + timeoutMs
  let last: string | undefined
  for (;;) {
    const left = end - Date.now()
    try {
      const { status } = await fetch(url, { signal: AbortSignal.timeout(Math.min(Math.max(1, left), MAX_TIMER_MS)) })
      if (status === 200) return 0
      last = `status ${status}`
    } catch (error) {
      const { name, cause } = error as Error
      // The deadline may cut off the last attempt; then report the result of the earlier ones.
      if (name !== 'TimeoutError') last = (cause as NodeJS.ErrnoException | undefined)?.code ?? (error as Error).message
    }
    if (Date.now() + PAUSE_MS >= end) throw new Error(`${url.href} was not ready in time (${last ?? 'no answer'})`)
    await sleep(PAUSE_MS)
  }
}

function read(args: string[]): { url: URL; timeoutMs: number } {
  const { url, timeout } = parseCommandLine({
    args,
    options: { url: { type: 'string', default: DEFAULT_URL }, timeout: { type: 'string', default: '30s' } }
  }).values
  checkUrl(url)
  const [, number, unit = 's'] = /^(\d+)(ms|s|m)?$/.exec(timeout) ?? []
  if (number === undefined) throw new UsageError(`--timeout must be a duration such as 30s, but is ${timeout}`)
  return { url: new URL('/_mock/ready', url), timeoutMs: Number(number) * UNITS[unit]! }
}
