import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { parsed } from '../lib/parsed.js'

/** Maximum size of a body after decompression, in bytes: a small one can claim to be any size. */
const MAX_PLAIN_BYTES = 64 * 1024 * 1024

const LIMIT = { maxOutputLength: MAX_PLAIN_BYTES }

/** Undoes a content coding. zlib's own wrapper may be missing, as some servers do. */
const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
  deflate: (bytes) => ((bytes[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, LIMIT),
  identity: (bytes) => bytes
}

/**
 * Undoes the content codings of a body.
 * @param codings the value of `Content-Encoding`
 * @returns undefined if that is not possible
 */
export function decompress(bytes: Buffer, codings = ''): Buffer | undefined {
  try {
    return codings
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => coding !== '')
      .reduceRight((rest, coding) => DECODERS[coding]!(rest), bytes)
  } catch {
    return undefined
  }
}

/** The text of a body in UTF-8; undefined if it is something else. */
export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/**
 * The value of a body.
 * @param mediaType the value of `Content-Type`
 * @returns JSON as its value, anything else as text; undefined if there is none
 */
export function valueOf(text: string, mediaType = ''): unknown {
  if (text === '') return undefined
  return /json/i.test(mediaType) || /^\s*[[{]/.test(text) ? parsed(text) : text
}
