// What `tap` itself exports comes with a test of the whole process, which would end it.
import '@tapjs/core'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Test } from '@tapjs/test'
import { GROUPS } from './groups.js'

// A plugin of Stryker that runs tests in its own process, and of a test file only those that pass a mutant. A process
// for each mutant and file takes seconds, a test some milliseconds: that decides whether a room takes a day or minutes.

/** How much time of the processor a test may use, and how long it may use none: one that hangs is noticed. */
const MOST_CPU_MS = 20_000
const MOST_IDLE_MS = 5000

/** Where the code with the mutants looks for the one to be active, and notes which of them it passes. */
const state = (globalThis.__stryker__ ??= {})

/** What `import t from 'tap'` gives the test files, in place of tap's own. */
let root
globalThis.tapOfMutants = new Proxy({}, { get: (_, name) => root[name]?.bind?.(root) ?? root[name] })
const hooks = `
  const tap = 'data:text/javascript,export default globalThis.tapOfMutants'
  export const resolve = (specifier, context, next) =>
    specifier === 'tap' && context.parentURL?.includes('/.stryker-tmp/')
      ? { url: tap, shortCircuit: true }
      : next(specifier, context)`

class InProcessRunner {
  #files = GROUPS[process.env.MUTANTS].tests.map((test) => `test/${test}.js`)
  #imports = 0
  #hangs = false
  #folder = process.cwd()

  // What was loaded stays: Stryker starts another process for mutants in code that runs when it is loaded.
  capabilities() {
    return { reloadEnvironment: false }
  }

  init() {
    register(`data:text/javascript,${encodeURIComponent(hooks)}`)
  }

  async dryRun() {
    const tests = []
    for (const file of this.#files) tests.push(...(await this.#run(file, () => true, false)))
    return { status: 'complete', tests, mutantCoverage: state.mutantCoverage }
  }

  async mutantRun({ activeMutant: { id }, testFilter, hitLimit, mutantActivation }) {
    // A test that hangs has not taken down what it set up. Stryker starts another process, and tries there.
    if (this.#hangs) throw new Error('the test before hangs')
    const wanted = testFilter === undefined ? undefined : new Set(testFilter)
    const files = this.#files.filter((file) => wanted === undefined || testFilter.some((test) => fileOf(test) === file))
    if (mutantActivation === 'static') state.activeMutant = id
    let count = 0
    try {
      for (const file of files) {
        Object.assign(state, { hitCount: hitLimit === undefined ? undefined : 0, hitLimit })
        const activate = () => (state.activeMutant = id)
        const tests = await this.#run(file, (test) => wanted?.has(test) ?? true, true, activate).catch((error) => [
          { id: file, name: file, status: 1, failureMessage: `cannot be loaded: ${error.message}` }
        ])
        count += tests.length
        if (state.hitCount > hitLimit) return { status: 'timeout', reason: 'it loops' }
        const failed = tests.find(({ status }) => status === 1)
        if (failed !== undefined)
          return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failureMessage, nrOfTests: count }
      }
    } finally {
      state.activeMutant = undefined
    }
    return { status: 'survived', nrOfTests: count }
  }

  /** Loads a file anew, and runs its tests, each after the other. @returns what came of them */
  async #run(file, isWanted, bail, activate = () => undefined) {
    const tests = []
    // A test that has ended may have left its own folder behind.
    process.chdir(this.#folder)
    // Test directories are named after tests; those of another process must not be taken for them.
    root = new Test({ name: file, timeout: 0, testdir: resolve(`.tap/fixtures/${process.pid}`) })
    root.resume()
    const { test } = root
    // A test that began while the file is loaded would pass mutants when nobody counts.
    root.test = (name, ...rest) => void tests.push({ id: `${file}#${tests.length} ${name}`, name, rest })
    await import(`${pathToFileURL(resolve(file))}?${this.#imports++}`)
    root.test = test
    activate()
    const results = []
    for (const { id, name, rest } of tests) {
      if (!isWanted(id)) continue
      state.currentTestId = id
      const began = performance.now()
      const over = new AbortController()
      const result = await Promise.race([root.test(name, ...rest), untilItHangs(over.signal).catch(() => undefined)])
      over.abort()
      if (result === undefined) {
        this.#hangs = true
        return [{ id, name: id, status: 1, failureMessage: 'it hangs' }]
      }
      state.currentTestId = undefined
      const isRight = result?.ok === true
      results.push({
        id,
        name: id,
        fileName: file,
        timeSpentMs: performance.now() - began,
        status: isRight ? 0 : 1,
        ...(isRight ? {} : { failureMessage: String(result?.failures[0]?.name ?? name) })
      })
      if (!isRight && bail) break
    }
    root.end()
    await new Promise(setImmediate)
    return results
  }
}

/** Waits until nothing happens, or too much. On a busy machine, how long a test takes says little. */
async function untilItHangs(signal) {
  const used = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000
  const most = used() + MOST_CPU_MS
  let idle = 0
  for (let before = used(); idle < MOST_IDLE_MS && before < most;) {
    await setTimeout(2000, undefined, { signal })
    idle = used() - before < 20 ? idle + 2000 : 0
    before = used()
  }
}

const fileOf = (test) => test.slice(0, test.indexOf('#'))

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }]
