/** A type with its article. */
export const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

/** The type of a value in words, such as `an array`. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'an array' : article(typeof value)
}
