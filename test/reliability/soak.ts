import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { isSoak } from '../effort.js'

export { isSoak }

/** How much to do: little in the short form, much in the long one. */
export function scaled(short: number, long: number): number {
  return isSoak ? long : short
}

/** A number that decides everything that is random in a run; SEED=<n> repeats it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))

/** A text of the server without what no seed decides: the clock of the machine, and salts. */
export const withoutChance = (text: string): string =>
  text.replaceAll(/"(password_hash|received|wall|expires_at)":"[^"]*"/g, '"$1":""')

/** Where two texts begin to differ. */
export function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `${one.slice(Math.max(0, at - 60), at + 60)} > ${other.slice(Math.max(0, at - 60), at + 60)}`
}

/** Writes what was counted in the long form into `soak-results/`. In the short form it does nothing. */
export function publish(name: string, counts: Readonly<Record<string, unknown>>): void {
  if (!isSoak) return
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  const run = { date: new Date().toISOString().slice(0, 10), node: process.version, machine, seed }
  mkdirSync('soak-results', { recursive: true })
  writeFileSync(`soak-results/${name}.json`, `${JSON.stringify({ ...run, ...counts }, undefined, 2)}\n`)
}
