// Explores every client of a folder, repeats a finding of each, and prints the findings and their cost. Each file of
// corpus/ is two clients: one with a publicly reported mistake, and the same without it.
// Usage: node bench/explore/run.js [clients|corpus] [NAME…]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientsOf, explore, here, isFound, namesOf } from './set.js'

const OPTIONS = ['--timeout', '6s', '--jobs', '8']

const [set = 'clients', ...wanted] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'bench-explore-'))
const rows = []
const begin = performance.now()
const clients = clientsOf(set, wanted, folder)
// Two at a time if only the findings count and waits take no time, because a client that hangs leaves the machine idle.
const isOneOfTwo = ({ file }) => set === 'corpus' && /\.(?:mjs|py) /.test(file)
const [some, others] = [clients.filter(isOneOfTwo), clients.filter((client) => !isOneOfTwo(client))]
await Promise.all([measureAll(some), measureAll(some)])
await measureAll(others)
rmSync(folder, { recursive: true })

const faulty = rows.filter(({ mistake }) => mistake !== 'none')
const careful = rows.filter(({ mistake }) => mistake === 'none')
const sum = (name) => rows.reduce((total, row) => total + row[name], 0)
const result = {
  mistakes: faulty.length,
  found: faulty.filter((row) => row.isFound).length,
  careful: careful.length,
  false_alarms: careful.reduce((total, { findings }) => total + findings.length, 0),
  plans: sum('plans'),
  runs: sum('runs'),
  seconds: Math.round((performance.now() - begin) / 1000),
  replays: sum('replays'),
  repeated: sum('repeated'),
  clients: rows
}
console.log(JSON.stringify({ ...result, clients: undefined }))
if (wanted.length === 0) writeFileSync(here(`../results/explore-${set}.json`), `${JSON.stringify(result, null, 2)}\n`)

async function measureAll(queue) {
  for (let client = queue.shift(); client !== undefined; client = queue.shift()) {
    const row = await measure(client)
    rows.push(row)
    console.log(inOneLine(row))
  }
}

async function measure({ file, mistake, options, command }) {
  const report = join(folder, 'reports', file)
  const begin = performance.now()
  const { code, err } = await explore([...OPTIONS, ...options, '--report', report, '--', ...command])
  const seconds = (performance.now() - begin) / 1000
  if (code > 1)
    return {
      file,
      mistake,
      isFound: false,
      findings: [],
      plans: 0,
      runs: 0,
      seconds,
      replays: 0,
      repeated: 0,
      problem: err.trim()
    }
  const { findings, plans, runs, undecided, unrepeated } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'))
  const names = namesOf(findings)
  // A finding that compares plans cannot be repeated by one of them.
  const single = set === 'corpus' ? [] : findings.filter(({ kind }) => kind !== 'inconsistent').slice(0, 1)
  const replays = []
  for (const { plan } of single)
    replays.push(await explore([...OPTIONS, ...options, '--replay', join(report, plan), '--', ...command]))
  return {
    file,
    mistake,
    isFound: isFound(mistake, names),
    findings: names,
    plans,
    runs,
    undecided,
    unrepeated,
    seconds: Math.round(seconds * 10) / 10,
    replays: replays.length,
    repeated: replays.filter((replay) => replay.code === 1).length
  }
}

function inOneLine({ file, mistake, isFound: was, findings, plans, runs, seconds, replays, repeated, problem }) {
  const verdict = mistake === 'none' ? (findings.length === 0 ? 'ok' : 'FALSE ALARM') : was ? 'found' : 'MISSED'
  const rest = problem ?? findings.join(', ')
  const counts = `${plans} plans, ${runs} runs, ${seconds} s, ${repeated}/${replays} repeat`
  return `${verdict.padEnd(11)} ${file.padEnd(26)} ${counts}: ${rest}`
}
