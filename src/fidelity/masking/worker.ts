import { parentPort, workerData } from 'node:worker_threads'
import type { Exchange } from '../exchange.js'
import { toHarEntry } from '../har/write.js'
import { type Passed, readPassed } from '../passed.js'
import { maskerWith, type MaskSettings } from './masker.js'

export interface MaskingData {
  readonly settings: MaskSettings
  /** Maximum size of a body, in bytes. */
  readonly maxBody: number
  /** Scheme and host of the entries. */
  readonly origin: string
  /** Whether exchanges have their bodies, which are slow to transfer. */
  readonly wantsBodies: boolean
}

export interface Masked {
  readonly exchange: Exchange
  /** An entry of an HTTP Archive, in JSON. */
  readonly entry: Uint8Array<ArrayBuffer>
}

const { settings, maxBody, origin, wantsBodies } = workerData as MaskingData
const masker = maskerWith(settings)

parentPort!.on('message', (passed: Passed) => {
  const exchange = masker.maskExchange(readPassed(passed, maxBody))
  const { requestBody: _sent, body: _received, ...head } = exchange
  const entry = new TextEncoder().encode(JSON.stringify(toHarEntry(exchange, origin)))
  parentPort!.postMessage({ exchange: wantsBodies ? exchange : head, entry, kept: masker.kept }, [entry.buffer])
})

parentPort!.postMessage('ready')
