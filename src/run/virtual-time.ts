import { basename, delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../lib/package-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What clients load before their own code. */
const NODE = packageFile('dist/run/preload/node.mjs')
const PYTHON = packageFile('dist/run/preload/python/')

/** Programs that are in Node or Python. */
const IN_NODE_OR_PYTHON =
  /^(?:node(?:js)?|npm|npx|yarn|pnpm|corepack|python[\d.]*|pytest|py\.test|poetry|uvx?|tox|nox|pipenv|hatch)$/

/** The variables that give a command virtual time, if it is a program in Node or Python or runs one. */
export function withVirtualTime(env: Environment): Environment {
  return {
    ...env,
    NODE_OPTIONS: [env['NODE_OPTIONS'], `--import=${NODE.href}`].filter(Boolean).join(' '),
    PYTHONPATH: [fileURLToPath(PYTHON), env['PYTHONPATH']].filter(Boolean).join(delimiter)
  }
}

/** Whether a program is one in Node or Python, as far as its name tells. */
export const isInNodeOrPython = (program: string): boolean => IN_NODE_OR_PYTHON.test(basename(program))

/**
 * How a sandbox's clock runs for a program in virtual time. Others may start one that is, and may sleep by themselves,
 * so for them the clock stands still only as long as a program in Node or Python takes to start.
 */
export function virtualClock(program: string): { readonly mode: 'frozen'; readonly patience?: string } {
  return { mode: 'frozen', ...(isInNodeOrPython(program) ? {} : { patience: '2s' }) }
}
