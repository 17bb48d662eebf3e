import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'

/** Milliseconds in which a start has certainly run all its code. Later, V8 discards code that does not run again. */
const START_MS = 1000

/** The code that V8 has compiled, by name of the file. */
type Code = Record<string, Buffer>

/** A part of the bundle that is loaded from outside. */
interface Entry {
  /** The folder with the bundle in `cjs/`. */
  readonly dist: URL
  /** Identifies the bundle's contents, because V8 compares only their length. */
  readonly build: string
  readonly name: string
  /** What it is loaded for, such as a command, because each use runs other parts of it. */
  readonly use?: string | undefined
}

/**
 * Loads an entry of the bundle. The first process keeps the code that V8 has compiled in `dist/cache/`, if that can be
 * written, and later ones start faster. `NODE_DISABLE_COMPILE_CACHE=1` turns this off, like Node's own cache of this
 * kind, which Node 20 lacks.
 * @returns its exports
 */
export function load({ dist, build, name, use = name }: Entry): unknown {
  const folder = fileURLToPath(dist)
  const path = join(folder, 'cjs', `${name}.cjs`)
  const isOff = process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined || !/^[a-z]+$/.test(use)
  if (isOff) return createRequire(path)(path)
  const cache = join(folder, 'cache', `${build}-${use}-${cachedDataVersionTag()}`)
  const code = readCode(cache)
  const scripts = new Map<string, Script>()
  if (code === undefined) whenStarted(() => writeCode(cache, scripts))
  return loaderWith(code, scripts)(path)
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
    const module = { exports: {} }
    modules.set(path, module)
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
    run(module.exports, require, module, path, folder)
    return module.exports
  }
}

function readCode(file: string): Code | undefined {
  try {
    return deserialize(readFileSync(file)) as Code
  } catch {
    return undefined
  }
}

/** Calls a function once: soon, or at the end of a process that has succeeded before. */
function whenStarted(keep: () => void): void {
  const onExit = (exitCode: number) => {
    if (exitCode === 0) keep()
  }
  process.once('exit', onExit)
  setTimeout(() => {
    process.off('exit', onExit)
    keep()
  }, START_MS).unref()
}

function writeCode(file: string, scripts: ReadonlyMap<string, Script>): void {
  const code: Code = Object.fromEntries([...scripts].map(([name, script]) => [name, script.createCachedData()]))
  // Other processes may write it at the same time.
  const draft = `${file}.${process.pid}.${threadId}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, serialize(code), { flush: true })
    renameSync(draft, file)
  } catch {
    // Without the file, starts take longer, and nothing else is different.
  }
}
