import { placeholdersIn } from './placeholders.js'
import type { Step } from './plan.js'

const firstWord = (path: string) => path.split('.')[0]

/** Whether a plan cannot go on if a step is refused. */
export function isNeeded({ name, each, required = false }: Step, later: readonly Step[]): boolean {
  if (required) return true
  // One of several may well be refused.
  if (name === undefined || each !== undefined) return false
  return later.some(
    (step) =>
      (step.each !== undefined && firstWord(step.each) === name) ||
      placeholdersIn(step.params).some((path) => !path.includes('|') && firstWord(path) === name)
  )
}
