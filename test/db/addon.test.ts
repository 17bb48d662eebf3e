import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { addonProblem } from '../../src/db/addon.js'

const NOT_BUILT = new Error('Could not locate the bindings file. Tried:\n → /a/build/better_sqlite3.node\n → /a/b.node')
const OTHER_NODE = Object.assign(
  new Error("The module '/a/b.node'\nwas compiled against a different Node.js version"),
  { code: 'ERR_DLOPEN_FAILED' }
)
const ENTRY = 'node_modules/better-sqlite3/lib/index.js'

const PNPM = 'pnpm approve-builds && pnpm rebuild better-sqlite3'

/** For each package manager: a file that only it writes, the command that builds the addon, and where it installs. */
const MANAGERS = [
  ['node_modules/.package-lock.json', 'npm rebuild better-sqlite3', ''],
  ['node_modules/.package-lock.json', 'npm rebuild better-sqlite3', 'node_modules/svc-mock/'],
  ['node_modules/.modules.yaml', PNPM, 'node_modules/.pnpm/better-sqlite3@12.11.1/'],
  ['node_modules/.yarn-integrity', 'yarn install --force', ''],
  ['node_modules/.yarn-state.yml', 'yarn rebuild better-sqlite3', ''],
  ['.pnp.cjs', 'yarn rebuild better-sqlite3', '.yarn/unplugged/better-sqlite3-npm-12.11.1-0a1b2c3d4e/'],
  ['bun.lock', 'bun pm trust better-sqlite3', '']
] as const

void t.test('if the addon is not built, the error has the command of the package manager in use', async (t) => {
  for (const [trace, command, folder] of MANAGERS) {
    await t.test(`${trace}, ${folder}`, async (t) => {
      const project = t.testdir({})
      mkdirSync(dirname(join(project, trace)), { recursive: true })
      writeFileSync(join(project, trace), '')
      const problem = addonProblem(NOT_BUILT, join(project, folder, ENTRY)) ?? ''
      t.ok(problem.includes(`run '${command}'`), problem)
      t.notMatch(problem, /\n/)
    })
  }
})

void t.test('an addon for another Node needs the same command, for another reason', async (t) => {
  const [notBuilt, otherNode] = [NOT_BUILT, OTHER_NODE].map((error) => addonProblem(error, `/none/${ENTRY}`))
  const reasons = [notBuilt, otherNode].map((problem) => /better-sqlite3, (\S.+); run/.exec(problem!)?.[1])
  t.not(reasons[0], reasons[1])
  t.notOk(reasons.includes(undefined))
  t.match(otherNode, 'npm rebuild better-sqlite3')
  t.notMatch(otherNode, /\n/)
})

void t.test('the error names a step that some versions of a package manager need first', async (t) => {
  const folder = t.testdir({ node_modules: { '.yarn-state.yml': '' } })
  t.match(addonProblem(NOT_BUILT, join(folder, ENTRY)), '"dependenciesMeta"')
  t.match(addonProblem(NOT_BUILT, `/none/${ENTRY}`), "'npm approve-scripts better-sqlite3'")
})

void t.test('other errors are not about the addon', async (t) => {
  for (const error of [new Error('disk I/O error'), Object.assign(new Error('no'), { code: 'ENOENT' })])
    t.equal(addonProblem(error, `/none/${ENTRY}`), undefined)
})

void t.test('an addon that is not installed has its own error', async (t) => {
  const missing = Object.assign(new Error("Cannot find module 'better-sqlite3'"), { code: 'MODULE_NOT_FOUND' })
  t.match(addonProblem(missing), /^the SQLite addon, better-sqlite3, is not installed, .*; install it where /)
})
