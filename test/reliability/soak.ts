import { cpus } from 'node:os'
import { rewrite } from '../doc-parts.js'

/** Whether this is the long form, `npm run soak`. The short form is a part of every test run. */
export const isSoak = process.env['SOAK'] === '1'

/** How much to do: little in the short form, much in the long one. */
export function scaled(short: number, long: number): number {
  return isSoak ? long : short
}

/** A number that decides everything that is random in a run; SEED=<n> repeats it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))

/** Writes what the long form found into its part of docs/reliability.md. In the short form it does nothing. */
export function publish(marker: string, result: string): void {
  if (!isSoak) return
  const model = cpus()[0]?.model ?? 'unknown processor'
  rewrite('docs/reliability.md', marker, `${result}\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model.trim()}, seed ${seed}.`)
}
