// What `tap` itself exports comes with a test of the whole process, which would end it.
import '@tapjs/core'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Test } from '@tapjs/test'
import { GROUPS } from './groups.js'

// A plugin of Stryker that runs tests in its own process, and of a test file only those that pass a mutant. A process
// for each mutant and file takes seconds, a test some milliseconds: that decides whether a room takes a day or minutes.

/** How long a test may take: one that hangs is noticed. */
const PATIENCE_MS = 20_000

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
    root = new Test({ name: file, timeout: PATIENCE_MS })
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
      const result = await root.test(name, ...rest)
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

const fileOf = (test) => test.slice(0, test.indexOf('#'))

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', injectableClass: InProcessRunner }]
