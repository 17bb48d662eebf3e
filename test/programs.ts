import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const MINUTE = 60_000

/** The environment without the variables of npm and svc-mock. */
export function plainEnvironment(): Record<string, string> {
  const own = /^(npm_|SVC_MOCK_)/
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      own.test(name) || value === undefined ? [] : [[name, value]]
    )
  )
}

export function findProgram(program: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
}

/** Why a test that needs a program cannot run, or false. */
export const lacks = (program: string): string | false =>
  findProgram(program) === undefined && `there is no ${program} here`

/** Installs missing Debian programs, given with their packages. @returns why that fails, or false, for `skip` */
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
  // One at a time: apt-get fails while another one runs.
  const aptGet = (...args: readonly string[]) =>
    spawnSync('flock', [join(tmpdir(), 'svc-mock-tests-apt'), 'apt-get', ...args], options).status === 0
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...packages)
  // The package lists may be old or missing, as in most images.
  if (!install()) {
    aptGet('update')
    if (!install()) return `needs ${packages.join(', ')}, which apt-get could not install`
  }
  return false
}
