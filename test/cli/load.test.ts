import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { load } from '../../src/cli/load.js'
import { temporaryFolder } from '../temporary.js'

const said: unknown[] = []
Object.assign(globalThis, { hearFromBundle: (what: unknown) => said.push(what) })

const CLI = `
  const { basename } = require('node:path')
  const part = require('./part.cjs')
  hearFromBundle([part.text, part === require('../cjs/part.cjs'), basename(__filename)])`

const PART = 'exports.text = (() => "before")()'
/** As long as {@link PART}, so that V8 takes it for the same. */
const CHANGED = 'exports.text = (() => "behind")()'

/** A bundle of two files. */
function bundle(t: Test) {
  // Node's own require() remembers paths.
  const dist = temporaryFolder(t)
  mkdirSync(join(dist, 'cjs'))
  writeFileSync(join(dist, 'cjs/cli.cjs'), CLI)
  writeFileSync(join(dist, 'cjs/part.cjs'), PART)
  return {
    dist,
    /** Loads it, and lets the time pass after which the code is kept. @returns the text of its second file */
    run: (build = 'a', command = 'serve', hasSourceMaps = false) => {
      // Other tests run in this process, with source maps, so they come back before anything else runs.
      const before = process.sourceMapsEnabled
      mock.timers.enable({ apis: ['setTimeout'] })
      process.setSourceMapsEnabled(hasSourceMaps)
      try {
        load({ dist: pathToFileURL(`${dist}/`), build, command })
        mock.timers.tick(1000)
      } finally {
        mock.timers.reset()
        process.setSourceMapsEnabled(before)
      }
      const [text, isOne, file] = said.pop() as [string, boolean, string]
      t.strictSame([isOne, file], [true, 'cli.cjs'], 'like a CommonJS module')
      return text
    },
    change: (text = CHANGED) => writeFileSync(join(dist, 'cjs/part.cjs'), text),
    kept: () => (existsSync(join(dist, 'cache')) ? readdirSync(join(dist, 'cache')) : [])
  }
}

void t.test('the code of the first process serves later ones of the same build, command and Node', async (t) => {
  const { run, change, kept } = bundle(t)
  t.equal(run(), 'before')
  t.equal(kept().length, 1)
  t.match(kept()[0], process.version)
  change()
  t.equal(run(), 'before', 'compiled by the first process')
  t.equal(run('b'), 'behind')
  t.equal(run('a', 'run'), 'behind')
  t.equal(kept().length, 3)
})

void t.test('a damaged cache is replaced, and one that cannot be written is done without', async (t) => {
  const { dist, run, change, kept } = bundle(t)
  run()
  const file = join(dist, 'cache', kept()[0]!)
  change()
  for (const damaged of [readFileSync(file).subarray(0, 100), Buffer.alloc(0)]) {
    writeFileSync(file, damaged)
    t.equal(run(), 'behind')
  }
  t.equal(kept().length, 1)

  const other = bundle(t)
  writeFileSync(join(other.dist, 'cache'), 'no folder')
  t.equal(other.run(), 'before')
})

void t.test('other files make room', async (t) => {
  const { run, kept } = bundle(t)
  for (let build = 0; build < 10; build++) run(String(build))
  t.equal(kept().length, 10)
  run('new')
  t.match(kept(), [/^new-/])
  t.equal(kept().length, 1)
})

void t.test('a file that could not be loaded is loaded when it is needed again', async (t) => {
  const { dist, run, change } = bundle(t)
  writeFileSync(
    join(dist, 'cjs/cli.cjs'),
    `let text; try { require('./part.cjs') } catch { text = require('./part.cjs').text }
    hearFromBundle([text, true, 'cli.cjs'])`
  )
  change('if ((globalThis.loads = (globalThis.loads ?? 0) + 1) < 2) throw new Error("EMFILE"); exports.text = "late"')
  t.equal(run(), 'late')
})

void t.test('no code is kept for coverage, source maps or no command, or if a variable says so', async (t) => {
  for (const name of ['NODE_DISABLE_COMPILE_CACHE', 'NODE_V8_COVERAGE']) {
    const { run, kept } = bundle(t)
    Object.assign(process.env, { [name]: '1' })
    t.equal(run(), 'before', name)
    Reflect.deleteProperty(process.env, name)
    t.strictSame(kept(), [], name)
  }
  for (const [command, hasSourceMaps] of [['serve', true], [''], ['--version'], ['../a']] as const) {
    const { run, kept } = bundle(t)
    t.equal(run('a', command, hasSourceMaps), 'before')
    t.strictSame(kept(), [], command)
  }
})

void t.test('the bundle has no import(), which needs a loader that Node 20 warns about', async (t) => {
  const folder = new URL('../../dist/cjs/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.cjs'))
  t.ok(files.length > 10, 'files are found')
  for (const name of files) t.notMatch(readFileSync(new URL(name, folder), 'utf8'), /(?<![.\w`])import\((?!'\.)/, name)
})
