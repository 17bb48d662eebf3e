import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../lib/package-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What clients load before their own code. */
const NODE = packageFile('dist/run/preload/node.mjs')
const PYTHON = packageFile('dist/run/preload/python/')

/** Programs that are programs in Node or Python, and those that may run some. */
const IN_NODE_OR_PYTHON =
  /^(?:node(?:js)?|npm|npx|yarn|pnpm|corepack|python[\d.]*|pytest|py\.test|poetry|uvx?|tox|nox|pipenv|hatch)$/
const ANY = /^(?:(?:ba|da|z|k)?sh|env|make|just|time|timeout|nice)$/

/** The variables that give a command virtual time, if it is a program in Node or Python or runs one. */
export function withVirtualTime(env: Environment): Environment {
  return {
    ...env,
    NODE_OPTIONS: [env['NODE_OPTIONS'], `--import=${NODE.href}`].filter(Boolean).join(' '),
    PYTHONPATH: [fileURLToPath(PYTHON), env['PYTHONPATH']].filter(Boolean).join(delimiter)
  }
}

/** Whether a program is one in Node or Python, as far as its name and its first line tell. */
export function isInNodeOrPython(program: string, path = ''): boolean {
  return namesOf(program, path).some((name) => IN_NODE_OR_PYTHON.test(name))
}

/** Whether a program is, or may run, one in Node or Python, as far as its name and its first line tell. */
export function knowsVirtualTime(program: string, path = ''): boolean {
  return namesOf(program, path).some((name) => IN_NODE_OR_PYTHON.test(name) || ANY.test(name))
}

/** Why the time of a program that does not know virtual time stays real, and what to do if it may. */
export const realTimeReason = (program: string) =>
  `${program} is neither Node, Python nor a shell, so its time is real (env ${program}, if it starts one of these)`

/**
 * How a sandbox's clock runs for a program in virtual time. What a shell starts may sleep by itself, so for that the
 * clock stands still only as long as a program in Node or Python takes to start.
 */
export function virtualClock(program: string, path = ''): { readonly mode: 'frozen'; readonly patience?: string } {
  return { mode: 'frozen', ...(isInNodeOrPython(program, path) ? {} : { patience: '2s' }) }
}

/** The names of a program, and of its interpreter if its own says nothing. */
function namesOf(program: string, path: string): string[] {
  const name = basename(program)
  if (IN_NODE_OR_PYTHON.test(name) || ANY.test(name)) return [name]
  const file = program.includes('/') ? program : pathOf(program, path)
  const [, interpreter = ''] = /^#!\s*(\S+(?:\s+\S+)?)/.exec(beginningOf(file)) ?? []
  return interpreter.split(/\s+/).map((word) => basename(word))
}

function pathOf(program: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))
}

/** The first characters of a file; none if it cannot be read. */
function beginningOf(file: string | undefined): string {
  if (file === undefined) return ''
  try {
    const buffer = Buffer.alloc(200)
    const descriptor = openSync(file, 'r')
    try {
      return buffer.toString('latin1', 0, readSync(descriptor, buffer))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
