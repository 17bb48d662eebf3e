import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { load } from '../../src/cli/load.js'

const LOAD = new URL('../../src/cli/load.ts', import.meta.url).href
const TRANSPILE = new URL('../transpile.mjs', import.meta.url).href

const PART = 'exports.say = () => "before"'
/** As long as {@link PART}, so that V8 takes it for the same. */
const CHANGED = 'exports.say = () => "behind"'

/** A bundle of two files, and a process that uses it. */
function bundle(t: Test) {
  const dist = t.testdir({
    cjs: {
      'index.cjs': `const { basename } = require('node:path')
        exports.say = require('./part.cjs').say
        exports.isOne = require('./part.cjs') === require('../cjs/part.cjs')
        exports.file = basename(__filename)
        exports.later = () => import('node:path').then(({ sep }) => typeof sep)`,
      'part.cjs': PART
    }
  })
  const folder = pathToFileURL(`${dist}/`).href
  const use = (build: string, env: NodeJS.ProcessEnv = {}, rest = '') =>
    execFileSync(
      process.execPath,
      [
        `--import=${TRANSPILE}`,
        '--input-type=module',
        '--eval',
        `import { load } from '${LOAD}'
        const { say } = load({ dist: new URL('${folder}'), build: '${build}', name: 'index' })
        console.log(say())
        ${rest}`
      ],
      { encoding: 'utf8', env: { ...process.env, ...env } }
    ).trim()
  return {
    dist,
    use,
    change: () => writeFileSync(join(dist, 'cjs/part.cjs'), CHANGED),
    kept: () => (existsSync(join(dist, 'cache')) ? readdirSync(join(dist, 'cache')) : [])
  }
}

void t.test('an entry is loaded like a CommonJS module', async (t) => {
  const { dist } = bundle(t)
  const exports = load({ dist: pathToFileURL(`${dist}/`), build: 'a', name: 'index', use: '-v' }) as {
    say: () => string
    isOne: boolean
    file: string
    later: () => Promise<string>
  }
  t.strictSame([exports.say(), exports.isOne, exports.file], ['before', true, 'index.cjs'])
  t.equal(await exports.later(), 'string')
})

void t.test('the code of the first process serves the next ones of the same build', (t) => {
  const { use, change, kept } = bundle(t)
  t.equal(use('a'), 'before')
  t.equal(kept().length, 1)
  change()
  t.equal(use('a'), 'before', 'compiled by the first process')
  t.equal(use('b'), 'behind')
  t.equal(kept().length, 2)
  t.end()
})

void t.test('NODE_DISABLE_COMPILE_CACHE turns the cache off', (t) => {
  const { use, change, kept } = bundle(t)
  use('a')
  change()
  t.equal(use('a', { NODE_DISABLE_COMPILE_CACHE: '1' }), 'behind')
  t.equal(use('b', { NODE_DISABLE_COMPILE_CACHE: '1' }), 'behind')
  t.equal(kept().length, 1)
  t.end()
})

void t.test('a cache that cannot be read is replaced, and one that cannot be written is done without', (t) => {
  const { dist, use, change, kept } = bundle(t)
  use('a')
  writeFileSync(join(dist, 'cache', kept()[0]!), 'no code')
  change()
  t.equal(use('a'), 'behind')
  t.equal(use('a'), 'behind')
  t.equal(kept().length, 1)

  const other = bundle(t)
  writeFileSync(join(other.dist, 'cache'), 'no folder')
  t.equal(other.use('a'), 'before')
  t.end()
})

void t.test('a process that fails at once keeps nothing', (t) => {
  const { use, kept } = bundle(t)
  t.throws(() => use('a', {}, 'process.exitCode = 1'))
  t.strictSame(kept(), [])
  t.end()
})
