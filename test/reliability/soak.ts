import { mkdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { replaceDocument } from '../doc-parts.js'
import { isSoak } from '../effort.js'

export { isSoak }

/** How much to do: little in the short form, much in the long one. */
export function scaled(short: number, long: number): number {
  return isSoak ? long : short
}

/** A number that decides everything that is random in a run; SEED=<n> repeats it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))

/** The results that are published, with their titles. */
const TITLES = {
  crash: 'A killed server',
  'power-cut': 'A power cut',
  races: 'Conflicting requests at random',
  isolation: 'Sandboxes side by side',
  hostile: 'Hostile requests',
  wire: 'Broken HTTP',
  'hostile-load': 'A hostile crowd',
  environment: 'A hostile environment'
} as const

/** Writes the results of the long form into `soak-results/`. In the short form it does nothing. */
export function publish(name: keyof typeof TITLES, result: string): void {
  if (!isSoak) return
  const model = cpus()[0]?.model ?? 'unknown processor'
  const date = new Date().toISOString().slice(0, 10)
  const run = `${date}, Node ${process.version}, ${cpus().length} × ${model.trim()}, seed ${seed}.`
  mkdirSync('soak-results', { recursive: true })
  replaceDocument(`soak-results/${name}.md`, TITLES[name], `${result}\n\n${run}`)
}
