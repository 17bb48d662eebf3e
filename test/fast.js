// Runs the quick tests of the folders that differ from a commit, in one process: `npm run test:fast -- <commit>`.
import { execFileSync, spawnSync } from 'node:child_process'

const [since = 'main'] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const paths = changed.filter((path) => /^(?:src|test)\//.test(path)).map((path) => path.split('/').slice(1, -1))
if (paths.length === 0) {
  console.log(`Nothing under src/ or test/ differs from ${since}; npm test runs everything.`)
  process.exit()
}
// All rooms may use a file above them, such as src/options.ts.
const rooms = paths.some(([room]) => room === undefined) ? undefined : [...new Set(paths.map(([room]) => room))].sort()
console.log(`Rooms that differ from ${since}: ${rooms?.join(', ') ?? 'all, because a file above them does'}`)
const { status } = spawnSync('npx', ['tap', '--disable-coverage', 'test/quick.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...(rooms && { ROOMS: rooms.join() }) }
})
process.exitCode = status ?? 1
