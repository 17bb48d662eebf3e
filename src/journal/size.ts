/** What V8 takes for things, in bytes, roughly and rather too much. */
const TEXT = 24
const OBJECT = 56
const PROPERTY = 48
const ARRAY = 48
const SLOT = 8
const NUMBER = 16

/** A text longer than this is looked through for characters that make each of its characters two bytes. */
const LONG = 64

/** What a text takes up in memory, in bytes. */
export function textSize(text: string): number {
  return TEXT + (text.length > LONG && /[^\0-\xff]/.test(text) ? 2 * text.length : text.length)
}

/**
 * What a value that came as JSON takes up in memory, in bytes. That may be twenty times its text: `{}` is an object.
 * @param enough the walk ends when it is more than this
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
