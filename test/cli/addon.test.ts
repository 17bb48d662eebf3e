import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { runCommand } from '../helper.js'

// Package managers that skip install scripts leave the SQLite addon out. Here a process cannot load any addon, as if
// there were none.

const INDEX = new URL('../../dist/index.js', import.meta.url).href
const BOTH = [
  ['not built', 'MODULE_NOT_FOUND'],
  ['built for another Node', 'ERR_DLOPEN_FAILED']
] as const

/** The environment of a process in which loading an addon fails with a code. */
function withoutAddons(code: string): Record<string, string> {
  const hook = `process.dlopen = () => { throw Object.assign(new Error('no addon'), { code: '${code}' }) }`
  const option = `--import=data:text/javascript,${encodeURIComponent(hook)}`
  return { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${option}`.trim() }
}

for (const [what, code] of BOTH) {
  void t.test(`svc-mock with an addon that is ${what} exits with 1 and one line that says what to run`, async (t) => {
    const { exited, output, errors } = runCommand(t, ['serve', '--db', ':memory:', '--port', '0'], withoutAddons(code))
    t.strictSame(await exited, { code: 1, signal: null })
    t.equal(output(), '')
    t.match(errors(), /^svc-mock: [^\n]*better-sqlite3[^\n]*; run '[^\n']* better-sqlite3'[^\n]*\n$/)
  })

  void t.test(`startMock() with an addon that is ${what} rejects with a DatabaseError that says so`, async (t) => {
    const script = `
      import { DatabaseError, startMock } from '${INDEX}'
      const error = await startMock().catch((error) => error)
      const { message, cause } = error
      console.log(JSON.stringify({ is: error instanceof DatabaseError, message, cause: cause.message }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, ...withoutAddons(code) }
    })
    t.match(JSON.parse(stdout), {
      is: true,
      message: /^[^\n]*; run '[^\n']* better-sqlite3'[^\n]*$/,
      cause: code === 'MODULE_NOT_FOUND' ? /\n.*better_sqlite3\.node/ : 'no addon'
    })
  })
}
