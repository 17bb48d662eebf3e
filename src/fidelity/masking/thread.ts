import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../lib/package-file.js'
import { sleep } from '../../lib/time.js'
import type { Exchange } from '../exchange.js'
import { toHarBytes } from '../har/write.js'
import type { Passed, PassedBody } from '../passed.js'
import type { Masked, MaskingData } from './worker.js'

/** How long an exchange may take, in milliseconds, once the thread has started. The largest takes a tenth of it. */
const LIMIT_MS = 5000
/** Memory that a thread may fill, in MiB. More than any body that is looked at needs. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

/** A thread, and what settles when it has said that it is ready. */
interface StartedWorker {
  readonly worker: Worker
  readonly ready: Promise<unknown>
}

/** Texts that stay, by field. */
export type Kept = ReadonlyMap<string, ReadonlySet<string>>

const isSource = import.meta.url.endsWith('.ts')
const ENTRY = packageFile(isSource ? 'src/fidelity/masking/worker.ts' : 'dist/fidelity/masking/worker.js')

/**
 * Reads and masks exchanges in a thread of their own, one after the other. So none of them holds up what passes, and
 * one that cannot be handled costs its bodies only.
 */
export class MaskingThread {
  readonly #data: MaskingData
  readonly #limit: number
  #worker: StartedWorker | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** Texts that have stayed so far, by field. */
  kept: Kept = new Map()

  /** @param limit lowered by tests */
  constructor(data: MaskingData, limit = LIMIT_MS) {
    this.#data = data
    this.#limit = limit
    // It takes a while to start, and the first exchange may be the last before somebody ends the process.
    this.#worker = this.#start()
  }

  /** Masks an exchange, after those before it. */
  mask(passed: Passed): Promise<Masked> {
    const masked = this.#last.then(() => this.#mask(passed))
    this.#last = masked
    return masked
  }

  /** Ends the thread, when all that was given is masked. */
  async close(): Promise<void> {
    await this.#last
    await this.#worker?.worker.terminate()
  }

  async #mask(passed: Passed): Promise<Masked> {
    const bare = withoutBodies(passed)
    return (await this.#try(passed)) ?? (await this.#try(bare)) ?? this.#headless(bare)
  }

  #headless(passed: Passed): Masked {
    const exchange = headless(passed)
    return { exchange, entry: toHarBytes(exchange, this.#data.origin) }
  }

  #start(): StartedWorker {
    const worker = new Worker(ENTRY, { workerData: this.#data, resourceLimits: MEMORY })
    const ready = Promise.race([once(worker, 'message'), once(worker, 'exit')])
    // Whoever waits for it learns of a failure.
    ready.catch(() => undefined)
    return { worker, ready }
  }

  /** @returns undefined if the thread has failed, and has ended */
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
        sleep(this.#limit, ended.signal).then(() => [])
      ])) as [(Masked & { readonly kept: Kept }) | number | undefined]
      if (typeof answer === 'object') {
        this.kept = answer.kept
        return answer
      }
    } catch {
      // What the thread has thrown: it has ended.
    } finally {
      ended.abort()
    }
    this.#worker = undefined
    worker.on('error', () => undefined)
    await worker.terminate()
    return undefined
  }
}

/** An exchange without its bodies. */
function withoutBodies(passed: Passed): Passed {
  const bare = ({ size, reason = 'it could not be masked' }: PassedBody) => ({ size, reason })
  return { ...passed, sentBody: bare(passed.sentBody), receivedBody: bare(passed.receivedBody) }
}

/** What tells nothing of an exchange. */
function headless({ number, sent, answered, method, status, sentBody, receivedBody }: Passed): Exchange {
  return {
    number,
    sent,
    answered,
    method,
    path: '/',
    query: '',
    requestHeaders: {},
    status,
    headers: {},
    isBodyOmitted: true,
    omitted: { requestBody: sentBody.size, body: receivedBody.size },
    reason: 'it could not be masked'
  }
}
