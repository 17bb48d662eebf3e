import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const MINUTE = 60_000

/** Environment of a program that must not notice that a test, or npm, runs it. */
export function plainEnvironment(): Record<string, string> {
  const own = /^(TAP|_TAP|NODE_OPTIONS|NODE_TEST|npm_|SVC_MOCK_)/
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (own.test(name) || value === undefined ? [] : [[name, value]])))
}

/** Runs a program to its end. @returns what it wrote @throws with all it wrote, if it fails */
export async function run(
  file: string, args: readonly string[], options: { cwd?: string; env?: Record<string, string>; minutes?: number } = {}
): Promise<string> {
  const { cwd = ROOT, env = {}, minutes = 1 } = options
  try {
    const { stdout } = await promisify(execFile)(file, args, {
      cwd, env: { ...plainEnvironment(), ...env }, timeout: minutes * MINUTE, killSignal: 'SIGKILL', maxBuffer: 2 ** 26
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')} failed: ${(error as Error).message}\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`, { cause: error })
  }
}

const has = (program: string) => [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) => existsSync(join(folder, program)))

/**
 * Makes sure that programs of Debian are there, and installs them if they are not.
 * @param programs each program, and the package that it is in
 * @returns why they cannot be had, or false: what a test takes as its `skip`
 */
export function lacking(programs: Readonly<Record<string, string>>): string | false {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root, for a root directory and users of its own'
  const missing = Object.entries(programs).filter(([program]) => !has(program))
  if (missing.length === 0) return false
  const packages = missing.map(([, name]) => name)
  if (!has('apt-get')) return `needs ${packages.join(', ')}, and there is no apt-get to install it by`
  const options = { env: { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive' }, timeout: 4 * MINUTE, stdio: 'ignore' as const }
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options).status === 0
  // The lists of packages may be old, or not there at all, as in most images.
  if (!install()) {
    spawnSync('apt-get', ['update'], options)
    if (!install()) return `needs ${packages.join(', ')}, which apt-get could not install`
  }
  return false
}

/** Whether a mount namespace can be had, which containers mostly may not make. @returns why not, or false */
export function lackingNamespaces(): string | false {
  try {
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { timeout: MINUTE, stdio: 'pipe' })
    return false
  } catch {
    return 'needs the right to make namespaces and mounts'
  }
}
