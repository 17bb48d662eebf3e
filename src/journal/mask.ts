/** What stands for a secret. */
export const MASKED = '***'

const SECRET = /passw(?:or)?d|passphrase|pwd|secret|token|credential|(?:api|private|access)[\s_-]?key|authorization/i

/** Whether a field of this name may hold a secret. */
export function isSecret(field: string): boolean {
  return SECRET.test(field)
}

/** A value in which every field that may hold a secret, at any depth, is masked; the value itself if there is none. */
export function mask<T>(value: T): T
export function mask(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const masked = items.map((item) => mask(item))
    return masked.some((item, index) => item !== items[index]) ? masked : items
  }
  let copy: Record<string, unknown> | undefined
  for (const [field, item] of Object.entries(value)) {
    const masked = isSecret(field) ? MASKED : mask(item as unknown)
    if (masked !== item) (copy ??= { ...value })[field] = masked
  }
  return copy ?? value
}

/** Whether something in a masked value was secret. */
export function hasMasked(value: unknown): boolean {
  return value === MASKED || (typeof value === 'object' && value !== null && Object.values(value).some(hasMasked))
}
