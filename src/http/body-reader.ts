import type { Readable } from 'node:stream'
import { errorCodes } from 'fastify'

/** What is asked before a body takes so many bytes. @returns why it may not */
type Ask = (bytes: number) => Error | undefined

const EMPTY = Buffer.alloc(0)

/**
 * Reads a body into one buffer, which is at most twice as long, however many chunks it comes in: each chunk is an
 * object, and clients can send one for every byte.
 * @param announced its length by its header; NaN: it does not say
 * @param limit how many bytes it may have
 */
export function readBody(
  payload: Readable,
  announced: number,
  limit: number,
  ask: Ask,
  done: (error: Error | null, bytes?: Buffer) => void
): void {
  if (announced > limit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let bytes = EMPTY
  let length = 0
  payload.on('data', onData).on('end', onEnd).on('error', finish).resume()

  function onData(chunk: Buffer): void {
    const refusal =
      length + chunk.length > limit ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : makeRoom(length + chunk.length)
    if (refusal === undefined) length += chunk.copy(bytes, length)
    else finish(refusal)
  }

  function makeRoom(needed: number): Error | undefined {
    if (needed <= bytes.length) return undefined
    const size = Math.max(needed, Math.min(2 * bytes.length, limit))
    const refusal = ask(size)
    if (refusal !== undefined) return refusal
    const larger = Buffer.allocUnsafe(size)
    bytes.copy(larger, 0, 0, length)
    bytes = larger
    return undefined
  }

  function onEnd(): void {
    finish(Number.isNaN(announced) || announced === length ? null : new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
  }

  function finish(error: Error | null): void {
    payload.off('data', onData).off('end', onEnd).off('error', finish)
    if (error === null) done(null, bytes.subarray(0, length))
    else done(error)
  }
}
