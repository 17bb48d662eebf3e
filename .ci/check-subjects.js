import { execFileSync } from 'node:child_process'

// Checks the subjects of all commits after the one that brought this script. Merges have the subject that Git gives them.

const MAX = 72
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

const since = git('log', '--diff-filter=A', '--format=%H', '--', '.ci/check-subjects.js').split('\n').at(-1)
const subjects = since === '' ? [] : git('log', '--no-merges', '--format=%h %s', `${since}..HEAD`).split('\n').filter(Boolean)

const wrong = subjects.filter((line) => problemOf(line.slice(line.indexOf(' ') + 1)) !== undefined)
for (const line of wrong) console.error(`${line}\n  ${problemOf(line.slice(line.indexOf(' ') + 1))}`)
if (wrong.length > 0) process.exit(1)

function problemOf(subject) {
  if (subject.length > MAX) return `has ${subject.length} characters; at most ${MAX}`
  if (subject.endsWith('.')) return 'ends with a full stop'
  if (/\bwip\b/i.test(subject)) return 'is of work in progress: say what it does'
  if (!/^[A-Z]/.test(subject)) return 'does not begin with a capital'
  if (/^(?:\w+ed|\w+ing|Adds|Fixes|Makes|Removes|Changes|Updates)\b/.test(subject) && !/^(?:Bring|Embed|Feed|Need|Proceed|Ring|Seed|Shed|Speed)\b/.test(subject)) {
    return 'is not in the imperative'
  }
  return undefined
}
