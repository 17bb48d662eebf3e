import type { Readable } from 'node:stream'
import { errorCodes } from 'fastify'

/** Asks whether a body may take a number of bytes. @returns why it may not */
type Ask = (bytes: number) => Error | undefined

const EMPTY = Buffer.alloc(0)

/**
 * Reads a body into one buffer, at most twice its size. Chunks are not collected: each is an object, and clients can
 * send one per byte.
 * @param announced length according to its header; NaN if absent
 * @param limit maximum length in bytes
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
