import { setTimeout as sleep } from 'node:timers/promises'
import { DURATION_FORMS, LONGEST_TIMER } from '../lib/time.js'
import { type Command, type Flags, readFlags } from './command.js'
import { send } from './http.js'
import { URL_FLAG, urlOf } from './target.js'
import { durationOf } from './usage.js'

const WAIT_FLAGS = {
  url: URL_FLAG,
  timeout: {
    value: 'DURATION',
    help: `How long to wait, ${DURATION_FORMS}. A plain number is in seconds.`,
    default: '30s'
  }
} as const satisfies Flags

export const WAIT: Command = {
  usage: ['wait [options]'],
  about: 'Waits until a server is ready, i.e. until its /_mock/ready answers 200.',
  flags: WAIT_FLAGS,
  examples: ['wait', 'wait --url http://127.0.0.1:4701 --timeout 2m'],
  exits: '0 ready, 1 not ready in time, 2 usage error.'
}

const PAUSE_MS = 100

/** Waits for a server. @returns the exit code */
export async function waitCommand(args: string[]): Promise<number> {
  const { url: address, timeout } = readFlags(WAIT_FLAGS, args).values
  const url = new URL('/_mock/ready', urlOf({ url: address }, process.env))
  const end = Date.now() + durationOf('--timeout', timeout, { unit: 's', least: 0 })
  let last: string | undefined
  for (;;) {
    const left = end - Date.now()
    try {
      const reply = await send(url, { signal: AbortSignal.timeout(Math.min(Math.max(1, left), LONGEST_TIMER)) })
      reply.destroy()
      if (reply.statusCode === 200) return 0
      last = `status ${reply.statusCode}`
    } catch (error) {
      const { name, code, message } = error as NodeJS.ErrnoException
      // The deadline may abort the last attempt; then report the previous one.
      if (name !== 'AbortError') last = code ?? message
    }
    if (Date.now() + PAUSE_MS >= end) throw new Error(`${url.href} was not ready in time (${last ?? 'no answer'})`)
    await sleep(PAUSE_MS)
  }
}
