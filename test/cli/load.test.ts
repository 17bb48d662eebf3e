import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { load } from '../../src/cli/load.js'

const LOAD = new URL('../../src/cli/load.ts', import.meta.url).href
const TRANSPILE = new URL('../transpile.mjs', import.meta.url).href

const PART = 'exports.say = () => "before"'
/** As long as {@link PART}, so that V8 takes it for the same. */
const CHANGED = 'exports.say = () => "behind"'

const INDEX = `
  const { basename } = require('node:path')
  exports.say = require('./part.cjs').say
  exports.isOne = require('./part.cjs') === require('../cjs/part.cjs')
  exports.file = basename(__filename)`

interface Exports {
  readonly say: () => string
  readonly isOne: boolean
  readonly file: string
}

/** A bundle of two files. */
function bundle(t: Test) {
  const dist = t.testdir({ cjs: { 'index.cjs': INDEX, 'part.cjs': PART } })
  const folder = pathToFileURL(`${dist}/`)
  const open = (build: string, use?: string) => load({ dist: folder, build, name: 'index', use }) as Exports
  return {
    dist,
    folder,
    open,
    /** Loads it, and lets the time pass after which the code is kept. */
    say: (build: string) => {
      const said = open(build).say()
      mock.timers.tick(1000)
      return said
    },
    change: () => writeFileSync(join(dist, 'cjs/part.cjs'), CHANGED),
    kept: () => (existsSync(join(dist, 'cache')) ? readdirSync(join(dist, 'cache')) : [])
  }
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.afterEach(() => mock.timers.reset())

void t.test('an entry is loaded like a CommonJS module', (t) => {
  for (const use of [undefined, '--version']) {
    const { say, isOne, file } = bundle(t).open('a', use)
    t.strictSame([say(), isOne, file], ['before', true, 'index.cjs'])
    mock.timers.tick(1000)
  }
  t.end()
})

void t.test('the bundle has no import(), which needs a loader that Node 20 warns about', (t) => {
  const folder = new URL('../../dist/cjs/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.cjs'))
  t.ok(files.length > 10, 'files are found')
  for (const name of files) t.notMatch(readFileSync(new URL(name, folder), 'utf8'), /(?<![.\w`])import\((?!'\.)/, name)
  t.end()
})

void t.test('the code of the first process serves the next ones of the same build', (t) => {
  const { say, change, kept } = bundle(t)
  t.equal(say('a'), 'before')
  t.equal(kept().length, 1)
  change()
  t.equal(say('a'), 'before', 'compiled by the first process')
  t.equal(say('b'), 'behind')
  t.equal(kept().length, 2)
  t.end()
})

void t.test('what is not one word has no code of its own', (t) => {
  const { open, kept } = bundle(t)
  open('a', '../a')
  mock.timers.tick(1000)
  t.strictSame(kept(), [])
  t.end()
})

void t.test('a cache that cannot be read is replaced, and one that cannot be written is done without', (t) => {
  const { dist, say, change, kept } = bundle(t)
  say('a')
  writeFileSync(join(dist, 'cache', kept()[0]!), 'no code')
  change()
  t.equal(say('a'), 'behind')
  t.equal(kept().length, 1)

  const other = bundle(t)
  writeFileSync(join(other.dist, 'cache'), 'no folder')
  t.equal(other.say('a'), 'before')
  t.end()
})

void t.test('a short process keeps its code if it succeeds, and NODE_DISABLE_COMPILE_CACHE is not set', (t) => {
  for (const [env, exitCode, files] of [
    [{}, 0, 1],
    [{}, 1, 0],
    [{ NODE_DISABLE_COMPILE_CACHE: '1' }, 0, 0]
  ] as const) {
    const { folder, kept } = bundle(t)
    const script = `
      import { load } from '${LOAD}'
      load({ dist: new URL('${folder.href}'), build: 'a', name: 'index' })
      process.exitCode = ${exitCode}`
    const { status } = spawnSync(process.execPath, [`--import=${TRANSPILE}`, '--input-type=module', '--eval', script], {
      env: { ...process.env, ...env }
    })
    t.equal(status, exitCode)
    t.equal(kept().length, files, `${exitCode} ${Object.keys(env).join('')}`)
  }
  t.end()
})
