// The sets of clients, and what both benchmarks do with them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PROGRAMS = { mjs: process.execPath, py: 'python3', sh: 'bash' }

export const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The clients of a set, each with its command and its mistake; `none` if it is careful. */
export function clientsOf(set, wanted = []) {
  return readdirSync(here(set))
    .filter((file) => /(?<!^(?:kit|lib))\.(mjs|py|sh)$/.test(file))
    .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
    .map((file) => {
      const path = here(`${set}/${file}`)
      const [, mistake] = /Mistake: (.*)/.exec(readFileSync(path, 'utf8'))
      return { file, mistake, command: [PROGRAMS[file.split('.').at(-1)], path] }
    })
}

/** Findings as `kind operation`, at each call that shows them. */
export const namesOf = (findings) =>
  findings.flatMap(({ kind, operation, elsewhere }) =>
    [operation, ...elsewhere.map((other) => other.operation)].map((call) => `${kind} ${call}`)
  )

/** Whether findings show a mistake. */
export const isFound = (mistake, findings) =>
  mistake.split(' or ').some((kind) => findings.some((name) => name === kind || name.startsWith(`${kind} `)))
