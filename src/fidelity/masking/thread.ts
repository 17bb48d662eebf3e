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

interface StartedWorker {
  readonly worker: Worker
  /** Settles when the thread is ready or has failed. */
  readonly ready: Promise<unknown>
}

/** Unmasked texts, by field. */
export type Kept = ReadonlyMap<string, ReadonlySet<string>>

const isSource = import.meta.url.endsWith('.ts')
const ENTRY = packageFile(isSource ? 'src/fidelity/masking/worker.ts' : 'dist/cjs/worker.cjs')

/**
 * Reads and masks exchanges in a separate thread, so that none of them delays the proxy. If one cannot be masked, only
 * its bodies are lost.
 */
export class MaskingThread {
  readonly #data: MaskingData
  #worker: StartedWorker | undefined
  kept: Kept = new Map()

  constructor(data: MaskingData) {
    this.#data = data
    // Now, because it starts slowly, and the process may end soon after the first exchange.
    this.#worker = this.#start()
  }

  /** Masks an exchange. Call it when the one before is masked. @throws if even its head cannot be masked */
  async mask(passed: Passed): Promise<Masked> {
    const masked = (await this.#try(passed)) ?? (await this.#try(withoutBodies(passed)))
    if (masked === undefined) throw new Error(UNMASKED)
    return masked
  }

  async close(): Promise<void> {
    await this.#worker?.worker.terminate()
  }

  #start(): StartedWorker {
    const worker = new Worker(ENTRY, { workerData: this.#data, resourceLimits: MEMORY })
    const ready = Promise.race([once(worker, 'message'), once(worker, 'exit')])
    // Those who await it handle a failure.
    ready.catch(() => undefined)
    return { worker, ready }
  }

  /** @returns undefined if the thread failed; it is then terminated */
  async #try(passed: Passed): Promise<Masked | undefined> {
    const { worker, ready } = (this.#worker ??= this.#start())
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
        this.kept = answer.kept
        return answer
      }
    } catch {
      // The thread threw an error, and has ended.
    } finally {
      ended.abort()
    }
    this.#worker = undefined
    worker.on('error', () => undefined)
    await worker.terminate()
    return undefined
  }
}

function withoutBodies(passed: Passed): Passed {
  const bare = ({ size, reason = UNMASKED }: PassedBody) => ({ size, reason })
  return { ...passed, sentBody: bare(passed.sentBody), receivedBody: bare(passed.receivedBody) }
}
