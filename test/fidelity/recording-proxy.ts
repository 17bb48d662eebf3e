import { join } from 'node:path'
import type { Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { vocabularyOf } from '../../src/fidelity/masking/vocabulary.js'
import { type RecorderOptions, startRecorder } from '../../src/fidelity/recorder.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { until } from '../helper.js'

export const optionsFor = (t: Test, upstream: string): RecorderOptions => ({
  upstream: new URL(upstream),
  out: join(t.testdir({}), 'service.har'),
  force: false,
  host: '127.0.0.1',
  port: 0,
  allowedHost: [],
  timeout: 10_000,
  maxBody: 1000,
  masking: { key: 'a key of this test', keep: [], vocabulary: vocabularyOf(BUILT_IN) },
  onExchange: () => undefined,
  onTrouble: (error) => {
    throw error
  }
})

/** Starts a recording proxy in front of a service. */
export async function record(t: Test, upstream: string, more: Partial<RecorderOptions> = {}) {
  const seen: Exchange[] = []
  const problems: (string | undefined)[] = []
  const options = { ...optionsFor(t, upstream), ...more }
  const recorder = await startRecorder({
    ...options,
    onExchange: (exchange, problem) => {
      seen.push(exchange)
      problems.push(problem)
    }
  })
  let closed: Promise<void> | undefined
  const close = (signal = AbortSignal.abort()) => (closed ??= recorder.close(signal))
  t.teardown(() => close())
  const has = (count: number) => until(() => seen.length >= count)
  return { url: recorder.url, out: options.out!, seen, problems, close, has }
}
