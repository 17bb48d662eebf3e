import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { runToEnd } from '../helper.js'

// Package managers that skip install scripts omit the SQLite addon. Here, loading any addon fails.

const INDEX = new URL('../../dist/index.js', import.meta.url).href
const BOTH = [
  ['not built', 'MODULE_NOT_FOUND'],
  ['built for another Node', 'ERR_DLOPEN_FAILED']
] as const

function withoutAddons(code: string): Record<string, string> {
  const hook = `process.dlopen = () => { throw Object.assign(new Error('no addon'), { code: '${code}' }) }`
  const option = `--import=data:text/javascript,${encodeURIComponent(hook)}`
  return { NODE_OPTIONS: option }
}

// If Node includes SQLite, the server uses that: test/artifacts/consumers.test.ts.
const skip = process.getBuiltinModule('node:sqlite') !== undefined && 'this Node has SQLite of its own'

for (const [what, code] of BOTH) {
  void t.test(`svc-mock with an addon that is ${what} exits with 1, and says what to run`, { skip }, async (t) => {
    const ended = await runToEnd(t, ['serve', '--db', ':memory:', '--port', '0'], withoutAddons(code))
    const errors = /^svc-mock: [^\n]*better-sqlite3[^\n]*; run '[^\n']* better-sqlite3'[^\n]*\n$/
    t.match(ended, { code: 1, out: /^$/, errors })
  })

  void t.test(`startMock() with an addon that is ${what} rejects with a DatabaseError`, { skip }, async (t) => {
    const script = `
    import { DatabaseError, startMock } from '${INDEX}'
    const error = await startMock().catch((error) => error)
    console.log(JSON.stringify({ is: error instanceof DatabaseError, message: error.message, cause: error.cause }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, ...withoutAddons(code) }
    })
    const told = JSON.parse(stdout) as { is: boolean; message: string; cause?: unknown }
    t.match(told, { is: true, message: /^[^\n]*; run '[^\n]* better-sqlite3'[^\n]*, or use Node 22\.13 [^\n]*$/ })
    t.equal(told.cause, undefined, 'a list of paths says no more')
  })
}
