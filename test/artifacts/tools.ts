import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { goneAddress } from '../helper.js'
import { lackingPrograms, plainEnvironment } from '../programs.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const MINUTE = 60_000

/** Variables with which the SQLite addon is compiled in a third of the time. */
export const QUICK_COMPILER = { CFLAGS: '-O0', CXXFLAGS: '-O0' }

/** Runs a program until it ends. @returns its output @throws with all output, if it fails */
export async function run(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; minutes?: number } = {}
): Promise<string> {
  const { cwd = ROOT, env = {}, minutes = 1 } = options
  try {
    const { stdout } = await promisify(execFile)(file, args, {
      cwd,
      env: { ...plainEnvironment(), ...env },
      timeout: minutes * MINUTE,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 26
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(
      `${file} ${args.join(' ')} failed: ${(error as Error).message}\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`,
      { cause: error }
    )
  }
}

/** Installs missing Debian programs for these tests. @returns why that fails, or false, for `skip` */
export function lacking(programs: Readonly<Record<string, string>>): string | false {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, for a root directory and users of its own'
  return lackingPrograms(programs)
}

/** Why there can be no mount namespace, as in most containers, or false. */
export function lackingNamespaces(): string | false {
  try {
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt'], {
      timeout: MINUTE,
      stdio: 'pipe'
    })
    return false
  } catch {
    return 'needs the right to make namespaces and mounts'
  }
}

/** A free port, for a program that cannot choose one itself. */
export const freePort = async (t: Test): Promise<number> => Number(new URL(await goneAddress(t)).port)

/** Arguments of setpriv that let a program run as a user without rights. */
export const asUser = (user: string, group = user): string[] => [
  `--reuid=${user}`,
  `--regid=${group}`,
  ...['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
]
