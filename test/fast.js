// Runs the quick tests of the folders that differ from a commit, in one process: `npm run test:fast -- <commit>`.
import { execFileSync, spawnSync } from 'node:child_process'

const [since = 'main'] = process.argv.slice(2)
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const rooms = new Set(changed.flatMap((path) => /^(?:src|test)\/(.+)\/[^/]+$/.exec(path)?.[1].split('/')[0] ?? []))
if (rooms.size === 0) {
  console.log(`No room under src/ or test/ differs from ${since}; npm test runs everything.`)
  process.exit()
}
console.log(`Rooms that differ from ${since}: ${[...rooms].sort().join(', ')}`)
const { status } = spawnSync('npx', ['tap', '--disable-coverage', 'test/quick.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ROOMS: [...rooms].join() }
})
process.exitCode = status ?? 1
