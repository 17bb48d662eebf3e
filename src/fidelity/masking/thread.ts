import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../lib/package-file.js'
import { sleep } from '../../lib/time.js'
import type { Passed, PassedBody } from '../passed.js'
import type { Masked, MaskingData } from './worker.js'

/** How long an exchange may take after the start of the thread, in milliseconds. The largest takes a tenth of it. */
const LIMIT_MS = 5000
/** Maximum memory of the thread, in MiB. The largest exchange needs less. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

const UNMASKED = 'it could not be masked'

/** Unmasked texts, by field. */
export type Kept = ReadonlyMap<string, ReadonlySet<string>>

const isSource = import.meta.url.endsWith('.ts')
const ENTRY = packageFile(isSource ? 'src/fidelity/masking/worker.ts' : 'dist/cjs/worker.cjs')

/**
 * Starts a separate thread that reads and masks exchanges, so that none of them delays the proxy. If one cannot be
 * masked, only its bodies are lost.
 */
export function startMasking(data: MaskingData) {
  // Now, because it starts slowly, and the process may end soon after the first exchange.
  let started: ReturnType<typeof startWorker> | undefined = startWorker(data)
  let kept: Kept = new Map()
  return { mask, close: () => started?.worker.terminate(), kept: () => kept }

  /** Masks an exchange. Call it when the one before is masked. @throws if even its head cannot be masked */
  async function mask(passed: Passed): Promise<Masked> {
    const masked = (await attempt(passed)) ?? (await attempt(withoutBodies(passed)))
    if (masked === undefined) throw new Error(UNMASKED)
    return masked
  }

  /** @returns undefined if the thread failed; it is then terminated */
  async function attempt(passed: Passed): Promise<Masked | undefined> {
    const { worker, ready } = (started ??= startWorker(data))
    const ended = new AbortController()
    try {
      await ready
      const bodies = [passed.sentBody.bytes?.buffer, passed.receivedBody.bytes?.buffer]
      worker.postMessage(
        passed,
        bodies.filter((bytes) => bytes !== undefined)
      )
      const [answer] = (await Promise.race([
        once(worker, 'message', { signal: ended.signal }),
        once(worker, 'exit', { signal: ended.signal }),
        sleep(LIMIT_MS, ended.signal).then(() => [])
      ])) as [(Masked & { readonly kept: Kept }) | number | undefined]
      if (typeof answer === 'object') {
        kept = answer.kept
        return answer
      }
    } catch {
      // The thread threw an error, and has ended.
    } finally {
      ended.abort()
    }
    started = undefined
    worker.on('error', () => undefined)
    await worker.terminate()
    return undefined
  }
}

function startWorker(workerData: MaskingData) {
  const worker = new Worker(ENTRY, { workerData, resourceLimits: MEMORY })
  /** Settles when the thread is ready or has failed. */
  const ready: Promise<unknown> = Promise.race([once(worker, 'message'), once(worker, 'exit')])
  // Those who await it handle a failure.
  ready.catch(() => undefined)
  return { worker, ready }
}

function withoutBodies(passed: Passed): Passed {
  const bare = ({ size, reason = UNMASKED }: PassedBody) => ({ size, reason })
  return { ...passed, sentBody: bare(passed.sentBody), receivedBody: bare(passed.receivedBody) }
}
