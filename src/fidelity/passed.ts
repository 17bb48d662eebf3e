import { decompress, textOf, valueOf } from './body.js'
import { excessOf } from './bounds.js'
import type { Exchange } from './exchange.js'

/** A body as it passed. */
export interface PassedBody {
  /** In bytes. */
  readonly size: number
  /** Undefined: it was not kept. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  /** Why it was not kept. */
  readonly reason?: string | undefined
}

/** An exchange as it passed, with nothing looked at. */
export interface Passed extends Omit<Exchange, 'requestBody' | 'body' | 'isBodyOmitted' | 'omitted'> {
  readonly sentBody: PassedBody
  readonly receivedBody: PassedBody
}

/** Reads the bodies of an exchange. What cannot be read, or is above the limit, is left out, with the reason. */
export function readPassed({ sentBody, receivedBody, ...head }: Passed, limit: number): Exchange {
  const sent = valueIn(sentBody, head.requestHeaders, limit)
  const received = valueIn(receivedBody, head.headers, limit)
  const omitted = {
    ...(sent.reason === undefined ? {} : { requestBody: sentBody.size }),
    ...(received.reason === undefined ? {} : { body: receivedBody.size })
  }
  const reasons = [sent.reason && `request: ${sent.reason}`, received.reason && `reply: ${received.reason}`]
  const reason = reasons.filter((text) => text !== undefined).join('; ')
  return {
    ...head,
    ...(sent.value === undefined ? {} : { requestBody: sent.value }),
    ...(received.value === undefined ? {} : { body: received.value }),
    ...(reason === '' ? {} : { isBodyOmitted: true, omitted, reason })
  }
}

function valueIn(
  { size, bytes, reason }: PassedBody,
  headers: Readonly<Record<string, string>>,
  limit: number
): { readonly value?: unknown; readonly reason?: string } {
  if (size === 0) return {}
  if (bytes === undefined) return { reason: reason ?? 'it was not kept' }
  const plain = decompress(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    headers['content-encoding'] ?? '',
    limit
  )
  if (plain === undefined) return { reason: `it cannot be decompressed, or to more than ${limit} bytes` }
  const text = textOf(plain)
  if (text === undefined) return { reason: 'it is not UTF-8' }
  const excess = excessOf(text)
  if (excess !== undefined) return { reason: `it has ${excess}` }
  return { value: valueOf(text, headers['content-type']) }
}
