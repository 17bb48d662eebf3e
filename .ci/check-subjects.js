import { execFileSync } from 'node:child_process'

// Checks the subjects of all commits after the one that brought this script, except those that Git gives to merges.

const MAX = 72
/** Words that do not begin a subject in the imperative, and words that only look like them. */
const NOT_IMPERATIVE = /^(?:\w+ed|\w+ing|Adds|Fixes|Makes|Removes|Changes|Updates)\b/
const IMPERATIVE = /^(?:Bring|Embed|Feed|Need|Proceed|Ring|Seed|Shed|Speed)\b/
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

const since = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/check-subjects.js').split('\n').at(-1)
const log = since === '' ? '' : git('log', '--no-merges', '--format=%h %s', `${since}..HEAD`)
const subjects = log.split('\n').filter(Boolean)

const wrong = subjects.filter((line) => problemOf(line.slice(line.indexOf(' ') + 1)) !== undefined)
for (const line of wrong) console.error(`${line}\n  ${problemOf(line.slice(line.indexOf(' ') + 1))}`)
if (wrong.length > 0) process.exit(1)

function problemOf(subject) {
  if (subject.length > MAX) return `has ${subject.length} characters; at most ${MAX}`
  if (subject.endsWith('.')) return 'ends with a full stop'
  if (/\bwip\b/i.test(subject)) return 'is of work in progress: say what it does'
  if (!/^[A-Z]/.test(subject)) return 'does not begin with a capital'
  if (NOT_IMPERATIVE.test(subject) && !IMPERATIVE.test(subject)) return 'is not in the imperative'
  return undefined
}
