import { isUtf8 } from 'node:buffer'
import { parsed } from '../lib/parsed.js'

/** The text of a body in UTF-8; undefined if it is something else. */
export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

/** The value of a body: JSON as its value, anything else as text; undefined if it is empty. */
export function valueOf(text: string, mediaType = ''): unknown {
  if (text === '') return undefined
  // Some servers begin with a byte order mark, which clients ignore.
  return /json/i.test(mediaType) || /^\s*[[{]/.test(text) ? parsed(text.replace(/^\ufeff/, '')) : text
}

/** Maximum depth of JSON, because the functions that visit it are recursive. */
const DEEPEST = 64
/** Maximum number of values, including names. */
const MOST_VALUES = 50_000
/** Maximum length of one text, in characters. */
const LONGEST_TEXT = 256 * 1024

/**
 * Why JSON, a form or an event stream is too large to process, found in one pass before it is parsed; undefined if it
 * is not.
 */
export function excessOf(text: string): string | undefined {
  let [depth, values, begin] = [0, 0, -1]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (begin >= 0) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) {
        if (at - begin > LONGEST_TEXT) return `a text of more than ${LONGEST_TEXT} characters`
        begin = -1
      }
    } else if (code === QUOTE) begin = at
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++
      if (++depth > DEEPEST) return `more than ${DEEPEST} levels`
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
    else if ((code === COMMA || code === COLON || code === AMPERSAND) && ++values > MOST_VALUES)
      return `more than ${MOST_VALUES} values`
  }
  return undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const [COMMA, COLON, AMPERSAND] = [0x2c, 0x3a, 0x26]
