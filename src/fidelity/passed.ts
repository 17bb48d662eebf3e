import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { excessOf, textOf, valueOf } from './body.js'
import type { Exchange } from './exchange.js'

/** A body that passed the proxy. */
export interface PassedBody {
  /** In bytes. */
  readonly size: number
  /** Undefined if it was not kept. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  /** Why it was not kept. */
  readonly reason?: string | undefined
}

/** An exchange that passed the proxy, still unread. */
export interface Passed extends Omit<Exchange, 'requestBody' | 'body' | 'isBodyOmitted' | 'omitted'> {
  readonly sentBody: PassedBody
  readonly receivedBody: PassedBody
}

/** Reads the bodies of an exchange. Those that cannot be read, or exceed a limit, are omitted, with the reason. */
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
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const plain = decompress(packed, headers['content-encoding'] ?? 'identity', limit)
  if (plain === undefined) return { reason: `it cannot be decompressed to at most ${limit} bytes` }
  const text = textOf(plain)
  if (text === undefined) return { reason: 'it is not UTF-8' }
  const excess = excessOf(text)
  if (excess !== undefined) return { reason: `it has ${excess}` }
  return { value: valueOf(text, headers['content-type']) }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Some servers omit the zlib header.
  deflate: (bytes, limit) => ((bytes[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, limit),
  identity: (bytes) => bytes
}

/** Undoes a content coding; undefined if that is impossible, or yields more bytes than the limit. */
export function decompress(bytes: Buffer, coding: string, limit: number): Buffer | undefined {
  try {
    return DECODERS[coding.trim().toLowerCase()]?.(bytes, { maxOutputLength: limit })
  } catch {
    return undefined
  }
}
