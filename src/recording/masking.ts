import type { RawChange, Shape } from '../db/row-watcher.js'
import { isSecret, mask, MASKED, maskText, mayHoldSecret } from '../lib/mask.js'

/** Writes a row change without secrets. @returns a function that writes one as JSON */
export function rowWriter(shapes: readonly Shape[]): (change: RawChange) => string {
  /** Positions of secret values, by code. */
  const secrets = shapes.map(({ kind, columns }) => {
    const all = kind === 'update' ? [...columns, ...columns] : columns
    return new Set(all.flatMap((column, position) => (isSecret(column) ? [position] : [])))
  })
  const values = ([code, text]: RawChange): string => {
    const secret = secrets[code]!
    if (secret.size === 0 && !mayHoldSecret(text)) return text
    const masked = (JSON.parse(text) as unknown[]).map((value, position) =>
      typeof value !== 'string' ? value : secret.has(position) ? MASKED : maskText(value)
    )
    return JSON.stringify(masked)
  }
  return (change) => `[${change[0]},${values(change)}]`
}

/** A reply as JSON, without secrets. */
export function replyAsJson(text: string): string {
  if (!/^[[{]/.test(text)) return JSON.stringify(mask(text))
  if (!mayHoldSecret(text) && !text.includes('\n')) return text
  try {
    return JSON.stringify(mask(JSON.parse(text) as unknown))
  } catch {
    return JSON.stringify(mask(text))
  }
}
