import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { parsed } from '../lib/parsed.js'

/** Undoes a content coding. zlib's own wrapper may be missing, as some servers do. */
const DECODERS: Readonly<Record<string, (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  deflate: (bytes, limit) => ((bytes[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, limit),
  identity: (bytes) => bytes
}

/** More codings than anybody applies. */
const MOST_CODINGS = 3

/** Undoes the content codings of a body; undefined if that is not possible, or more bytes than the limit come out. */
export function decompress(bytes: Buffer, codings: string, limit: number): Buffer | undefined {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '')
  if (names.length > MOST_CODINGS) return undefined
  try {
    return names.reduceRight((rest, name) => DECODERS[name]!(rest, { maxOutputLength: limit }), bytes)
  } catch {
    return undefined
  }
}

/** The text of a body in UTF-8; undefined if it is something else. */
export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** The value of a body: JSON as its value, anything else as text; undefined if there is none. */
export function valueOf(text: string, mediaType = ''): unknown {
  if (text === '') return undefined
  return /json/i.test(mediaType) || /^\s*[[{]/.test(text) ? parsed(text) : text
}
