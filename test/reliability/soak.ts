import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { isSoak, scaled, seed } from '../effort.js'

export { isSoak, scaled, seed }

/** A text of the server without anything that depends on the machine's clock or salts. */
export const withoutChance = (text: string): string =>
  text.replaceAll(/"(password_hash|received|wall|expires_at)":"[^"]*"/g, '"$1":""')

/** The first difference between two texts. */
export function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `${one.slice(Math.max(0, at - 60), at + 60)} > ${other.slice(Math.max(0, at - 60), at + 60)}`
}

/** In the long form, writes counts to `soak-results/`. */
export function publish(name: string, counts: Readonly<Record<string, unknown>>): void {
  if (!isSoak) return
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  const run = { date: new Date().toISOString().slice(0, 10), node: process.version, machine, seed }
  mkdirSync('soak-results', { recursive: true })
  writeFileSync(`soak-results/${name}.json`, `${JSON.stringify({ ...run, ...counts }, undefined, 2)}\n`)
}
