import { execFile, execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

/** The output of `npm pack`. */
export interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
  /** The copy of the checkout in which it was made. */
  readonly source: string
}

const NOT_SOURCES = new Set(['.git', '.tap', 'data', 'dist', 'node_modules'])

/** Makes the package that `npm publish` would send. @param work a folder for it */
export async function pack(work: string): Promise<Packed> {
  // Packing rebuilds dist/, which other tests use, so it happens in a copy.
  const source = join(work, 'source')
  cpSync(ROOT, source, { recursive: true, filter: (path) => !NOT_SOURCES.has(basename(path)) || path === ROOT })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', work], { cwd: source, minutes: 2 })
  ) as [Omit<Packed, 'source'>]
  return { ...packed, source }
}
