import { basename, delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../lib/package-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Clients load these before their own code. */
const NODE = packageFile('dist/run/preload/node.mjs')
const PYTHON = packageFile('dist/run/preload/python/')

const IN_NODE_OR_PYTHON =
  /^(?:node(?:js)?|npm|npx|yarn|pnpm|corepack|python[\d.]*|pytest|py\.test|poetry|uvx?|tox|nox|pipenv|hatch)$/

/** Adds the variables that give programs in Node and Python virtual time. */
export function withVirtualTime(env: Environment): Environment {
  return {
    ...env,
    NODE_OPTIONS: [env['NODE_OPTIONS'], `--import=${NODE.href}`].filter(Boolean).join(' '),
    PYTHONPATH: [fileURLToPath(PYTHON), env['PYTHONPATH']].filter(Boolean).join(delimiter)
  }
}

/** Whether a program's name says that it is in Node or Python. */
export const isInNodeOrPython = (program: string): boolean => IN_NODE_OR_PYTHON.test(basename(program))
