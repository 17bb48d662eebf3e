/** Approximate sizes in V8, in bytes, on the high side. */
const TEXT = 24
const OBJECT = 56
const PROPERTY = 48
const ARRAY = 48
const SLOT = 8
const NUMBER = 16

/** A longer text is scanned for characters that force V8 to store two bytes per character. */
const LONG = 64

/** Memory of a text, in bytes. */
export function textSize(text: string): number {
  return TEXT + (text.length > LONG && /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}

/**
 * Memory of a value parsed from JSON, in bytes. It may be twenty times its text: `{}` is an object.
 * @param enough stops counting above this size
 */
export function heapSize(value: unknown, enough = Infinity): number {
  let size = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && size <= enough) {
    const item = waiting.pop()
    if (typeof item === 'string') {
      size += textSize(item)
    } else if (typeof item === 'number') {
      size += NUMBER
    } else if (Array.isArray(item)) {
      size += ARRAY + SLOT * item.length
      if (size <= enough) for (const element of item) waiting.push(element)
    } else if (typeof item === 'object' && item !== null) {
      size += OBJECT
      for (const field in item) {
        size += PROPERTY + field.length
        if (size > enough) break
        waiting.push((item as Record<string, unknown>)[field])
      }
    }
  }
  return size
}
