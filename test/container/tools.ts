import { execFile, execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { goneAddress } from '../helper.js'
import { lackingPrograms, plainEnvironment } from '../programs.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const MINUTE = 60_000

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

const NOT_SOURCES = new Set(['.git', '.tap', 'data', 'dist', 'node_modules'])

/** Makes the package that `npm publish` would send. @param work a folder for it @returns what npm says about it */
export async function pack(work: string) {
  // Packing rebuilds dist/, which other tests use, so it happens in a copy.
  const source = join(work, 'source')
  cpSync(ROOT, source, { recursive: true, filter: (path) => !NOT_SOURCES.has(basename(path)) || path === ROOT })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', work], { cwd: source, minutes: 2 })
  ) as [{ filename: string; unpackedSize: number; files: { path: string }[] }]
  // `source` is the copy of the checkout in which it was made.
  return { ...packed, source }
}
