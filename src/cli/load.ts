import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'

/** Milliseconds in which a server has run all code of its start. Later, V8 discards code that does not run again. */
const START_MS = 1000

/** Maximum number of files with code: each takes 1.5 MB, and each version and some flags of Node need their own. */
const MOST_FILES = 10

/** The code that V8 has compiled, by name of the file. */
type Code = Record<string, Buffer>

interface Entry {
  /** The folder with the bundle in `cjs/`. */
  readonly dist: URL
  /** Identifies the bundle's contents, because V8 compares only their length. */
  readonly build: string
  /** What runs, because each command runs other parts of the bundle. */
  readonly command: string
}

/**
 * Loads the command line. The first process that runs for a second keeps the code that V8 has compiled in
 * `dist/cache/`, if that belongs to the user, and later ones start faster. `NODE_DISABLE_COMPILE_CACHE=1` turns this
 * off, like Node's own cache of this kind, which Node 20 lacks.
 */
export function load({ dist, build, command }: Entry): void {
  const folder = fileURLToPath(dist)
  const path = join(folder, 'cjs/cli.cjs')
  const { env, sourceMapsEnabled, version, platform, arch } = process
  // Neither coverage nor source maps fit kept code.
  const isOff =
    env['NODE_DISABLE_COMPILE_CACHE'] !== undefined || env['NODE_V8_COVERAGE'] !== undefined || sourceMapsEnabled
  if (isOff || !/^[a-z]+$/.test(command)) {
    createRequire(path)(path)
    return
  }
  // V8's tag is about its flags and the processor. It does not tell all releases of Node apart.
  const cache = join(folder, 'cache', [build, command, version, platform, arch, cachedDataVersionTag()].join('-'))
  const code = readCode(cache)
  const scripts = new Map<string, Script>()
  if (code === undefined) setTimeout(() => writeCode(cache, scripts), START_MS).unref()
  loaderWith(code, scripts)(path)
}

/**
 * Returns a `require()` for files of the bundle. They cannot use `import()`, which Node 20 would have to warn about.
 * @param scripts it adds those that it loads
 */
function loaderWith(code: Code | undefined, scripts: Map<string, Script>): (path: string) => unknown {
  const modules = new Map<string, { readonly exports: unknown }>()
  return function loadFile(path) {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const name = basename(path)
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`,
      { filename: path, cachedData: code?.[name] }
    )
    scripts.set(name, script)
    const folder = dirname(path)
    const requireOther: (id: string) => unknown = createRequire(path)
    const require = (id: string) => (id.startsWith('.') ? loadFile(join(folder, id)) : requireOther(id))
    const run = script.runInThisContext() as (...args: unknown[]) => void
    const module = { exports: {} }
    modules.set(path, module)
    try {
      run(module.exports, require, module, path, folder)
    } catch (error) {
      // Like Node, tries again next time: there may have been no file descriptor for another file.
      modules.delete(path)
      throw error
    }
    return module.exports
  }
}

/** @returns undefined if there is no such file, or it is not whole */
function readCode(file: string): Code | undefined {
  try {
    return deserialize(readFileSync(file)) as Code
  } catch {
    return undefined
  }
}

function writeCode(file: string, scripts: ReadonlyMap<string, Script>): void {
  const folder = dirname(file)
  // Other processes may write it at the same time.
  const temporary = `${file}.${process.pid}`
  try {
    // Files of root would keep the package's owner from removing it.
    if (statSync(dirname(folder)).uid !== (process.getuid?.() ?? 0)) return
    mkdirSync(folder, { recursive: true })
    const files = readdirSync(folder)
    if (files.length >= MOST_FILES) for (const name of files) rmSync(join(folder, name))
    // First, because making the code takes long.
    writeFileSync(temporary, '')
    const code = serialize(Object.fromEntries([...scripts].map(([name, script]) => [name, script.createCachedData()])))
    // V8 does not check the code that it is given.
    writeFileSync(temporary, code, { flush: true })
    renameSync(temporary, file)
  } catch {
    // Then the next start takes longer, too.
    if (existsSync(temporary)) rmSync(temporary)
  }
}
