import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const MINUTE = 60_000

/** Environment of a program that must not notice that npm runs it, nor which server its tests use. */
export function plainEnvironment(): Record<string, string> {
  const own = /^(npm_|SVC_MOCK_)/
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      own.test(name) || value === undefined ? [] : [[name, value]]
    )
  )
}

/** Where a program is; undefined: nowhere. */
export function findProgram(program: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
}

/** Why a test cannot run here, if a program that it needs is not there; false: it is. */
export const lacks = (program: string): string | false =>
  findProgram(program) === undefined && `there is no ${program} here`

/**
 * Makes sure that programs of Debian are there, and installs them if they are not.
 * @param programs each program, and the package that it is in
 * @returns why they cannot be had, or false: what a test takes as its `skip`
 */
export function lackingPrograms(programs: Readonly<Record<string, string>>): string | false {
  const missing = Object.entries(programs).filter(([program]) => findProgram(program) === undefined)
  if (missing.length === 0) return false
  const packages = missing.map(([, name]) => name)
  if (findProgram('apt-get') === undefined)
    return `needs ${packages.join(', ')}, and there is no apt-get to install it by`
  if (process.getuid?.() !== 0) return `needs ${packages.join(', ')}, which only root can install`
  const options = {
    env: { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 8 * MINUTE,
    stdio: 'ignore' as const
  }
  // One after the other: apt-get fails while that of another test file runs.
  const aptGet = (...args: readonly string[]) =>
    spawnSync('flock', [join(tmpdir(), 'svc-mock-tests-apt'), 'apt-get', ...args], options).status === 0
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...packages)
  // The lists of packages may be old, or not there at all, as in most images.
  if (!install()) {
    aptGet('update')
    if (!install()) return `needs ${packages.join(', ')}, which apt-get could not install`
  }
  return false
}
