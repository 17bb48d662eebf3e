import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { read } from '../doc-parts.js'
import { findProgram, plainEnvironment } from '../programs.js'

export const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url))

const environment = () => ({
  ...plainEnvironment(),
  PYTHONDONTWRITEBYTECODE: '1',
  // Load only the plugins that a test names.
  PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1'
})

const QUESTION = 'import sys, importlib.util as u; print(sys.version_info >= (3, 9), u.find_spec("pytest") is not None)'

function ask(): string | undefined {
  if (findProgram('python3') === undefined) return undefined
  return spawnSync('python3', ['-c', QUESTION], { env: environment(), encoding: 'utf8' }).stdout
}

const answer = ask()

/** Why there is no Python to test with, or false. */
export const lacksPython = lacks('True ', 'there is no Python 3.9 or newer here')

/** Why there is no pytest to test with, or false. */
export const lacksPytest = lacks('True True', 'there is no Python 3.9 or newer with pytest here')

function lacks(needed: string, reason: string): string | false {
  return answer?.startsWith(needed) === true ? false : reason
}

export function python(cwd: string, args: readonly string[], env: Record<string, string>) {
  return new Promise<{ isSuccess: boolean; output: string }>((resolve) => {
    execFile('python3', args, { cwd, env: { ...environment(), ...env } }, (error, stdout, stderr) =>
      resolve({ isSuccess: error === null, output: `${stdout}${stderr}` })
    )
  })
}

/** Runs the tests in a folder. */
export const pytest = (folder: string, env: Record<string, string>, ...args: readonly string[]) =>
  python(folder, ['-m', 'pytest', '-p', 'no:cacheprovider', ...args, '--rootdir', folder, folder], env)

/** The example files in the client's README, by name, with the client itself. */
export function exampleFiles() {
  const blocks = read('clients/python/README.md').matchAll(/^```python\n# (\S+)\n(.*?)^```$/gms)
  const files = Object.fromEntries([...blocks].map(([, name, code]) => [name!, code!]))
  const client = ['__init__.py', 'containers.py'].map((name) => [name, read(`clients/python/svc_mock/${name}`)])
  return { ...files, svc_mock: Object.fromEntries(client) as Record<string, string> }
}
