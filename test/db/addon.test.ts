import t from 'tap'
import { addonProblem } from '../../src/db/addon.js'

void t.test('an addon that cannot be loaded has an error for its reason, with the commands that help', async (t) => {
  const problems = (
    [
      ['MODULE_NOT_FOUND', "Cannot find module 'better-sqlite3'"],
      ['ERR_DLOPEN_FAILED', "The module '/a/b.node'\nwas compiled against a different Node.js version"],
      [undefined, 'Could not locate the bindings file. Tried:\n → /a/build/better_sqlite3.node\n → /a/b.node']
    ] as const
  ).map(([code, message]) => addonProblem(Object.assign(new Error(message), { code }))!)
  t.match(problems[0], /^the SQLite addon, better-sqlite3, is not installed, [^\n]*; install it where [^\n]*$/)
  t.not(problems[1], problems[2])
  for (const problem of problems.slice(1))
    t.match(
      problem,
      /^the SQLite addon, better-sqlite3, [^\n]*; run 'npm rebuild [^\n]*'pnpm [^\n]*'yarn [^\n]*'bun [^\n]*$/
    )
})

void t.test('other errors are not about the addon', async (t) => {
  for (const error of [new Error('disk I/O error'), Object.assign(new Error('no'), { code: 'ENOENT' })])
    t.equal(addonProblem(error), undefined)
})
