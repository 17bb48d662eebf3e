// Tries random faults on every client of a set, in as many runs as explore took, and with the same judgement. Each run
// has one random effect at a random occurrence of a random operation that the client calls.
// Usage: node bench/explore/random.js [clients|corpus] [NAME…], after run.js for the same set
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { clientsOf, here, isFound, namesOf } from './set.js'

const JOBS = 8
const TIMEOUT = 6000
const VIRTUAL_TIMEOUT = 3_600_000
/** Some occurrences may not exist. */
const MOST_OCCURRENCES = 5

const [set = 'clients', ...wanted] = process.argv.slice(2)
const usual = JSON.parse(readFileSync(here(`../results/explore-${set}.json`), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'bench-random-'))
const parts = await load({
  exploration: 'src/explore/explore.ts',
  plans: 'src/explore/plans.ts',
  options: 'src/options.ts',
  defaults: 'src/node/explore-defaults.ts',
  serve: 'src/node/serve.ts',
  keys: 'src/lib/secrets.ts',
  client: 'src/cli/explore-client.ts',
  time: 'src/run/virtual-time.ts'
})
const rows = []
for (const client of clientsOf(set, wanted, folder)) {
  const runs = usual.clients.find(({ file }) => file === client.file)?.runs ?? 0
  if (runs === 0) continue
  const row = await measure(client, runs)
  rows.push(row)
  console.log(JSON.stringify(row))
}
rmSync(folder, { recursive: true })

const faulty = rows.filter(({ mistake }) => mistake !== 'none')
const careful = rows.filter(({ mistake }) => mistake === 'none')
const result = {
  mistakes: faulty.length,
  found: faulty.filter(({ isFound: was }) => was).length,
  careful: careful.length,
  false_alarms: careful.reduce((total, { findings }) => total + findings.length, 0),
  runs: rows.reduce((total, { runs }) => total + runs, 0),
  clients: rows
}
console.log(JSON.stringify({ ...result, clients: undefined }))
if (wanted.length === 0)
  writeFileSync(here(`../results/explore-${set}-random.json`), `${JSON.stringify(result, null, 2)}\n`)

/** Bundles modules of the server that dist/ does not contain as separate files. */
async function load(input) {
  const root = here('../../')
  for (const name of ['dist', 'migrations', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(folder, name))
  // As deep as the modules in src/ that look for files of the package.
  const dir = join(folder, 'bench/parts')
  mkdirSync(dir, { recursive: true })
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: (id) => id.startsWith('node:') || id === 'better-sqlite3' || id === 'supports-color'
  })
  await bundle.write({ dir, chunkFileNames: '[name].js' })
  await bundle.close()
  const entries = Object.keys(input).map(async (name) => [name, await import(pathToFileURL(join(dir, `${name}.js`)))])
  return Object.fromEntries(await Promise.all(entries))
}

async function measure({ file, mistake, command, options: asked }, budget) {
  const { exploration, plans, options, defaults, serve, keys, client, time } = parts
  const { pino } = await import('pino')
  const [, seedFile] = asked
  const given = { ...defaults.EXPLORE_DEFAULTS, ...(seedFile === undefined ? {} : { seedFile }) }
  const checked = options.checkOptions(given, options.embeddedDefaults())
  const server = await serve.listen(checked, pino({ level: 'silent' }))
  const folders = new client.RunFolders()
  const isTimeVirtual = time.isInNodeOrPython(command[0])
  const attempt = client.commandAttempt(
    { argv: command, variables: [], url: server.url, isTimeVirtual, signal: new AbortController().signal },
    folders
  )
  const settings = {
    timeout: TIMEOUT,
    virtualTimeout: isTimeVirtual ? VIRTUAL_TIMEOUT : undefined,
    budget: Infinity,
    jobs: JOBS,
    maxPlans: Infinity,
    pairs: false
  }
  try {
    const baseline = await server.plane.sandboxes.open(keys.sandboxIdOf('explore'))
    const begun = await exploration.Exploration.begin(server.plane, baseline, { attempt }, settings)
    const transitions = [...server.plane.engine.transitions.keys()]
    const random = randomFrom(file)
    const pick = (list) => list[Math.floor(random() * list.length)]
    const kinds = plans.USUAL_PLANS.filter((kind) => isTimeVirtual || kind !== 'transition-slow')
    const { seen } = begun.reference.run
    const operations = [...new Set(seen.map(({ point }) => point.operation))]
    let number = 0
    let idle = 0
    const work = async () => {
      while (begun.report.runs + idle < budget) {
        const [kind, operation, occurrence] = [pick(kinds), pick(operations), Math.floor(random() * MOST_OCCURRENCES)]
        const hit = seen.filter(({ point }) => point.operation === operation)[occurrence]
        // No fault would occur in this run, so it is only counted.
        if (hit === undefined) idle++
        else await begun.try({ number: ++number, faults: [{ kind, point: hit.point, transition: pick(transitions) }] })
      }
    }
    await Promise.all(Array.from({ length: JOBS }, work))
    const findings = namesOf(begun.report.findings)
    // A random rule for a transition takes effect at another call than the one that sets it, so the call is ignored.
    const mistakes = mistake.split(' or ').map((text) => text.split(' ')[0])
    const wasFound = mistakes.some((one) => isFound(one, findings))
    return { file, mistake, isFound: wasFound, findings, runs: begun.report.runs + idle }
  } finally {
    folders.remove()
    server.closeConnections()
    await server.close()
  }
}

/** The same numbers for the same text (mulberry32). */
function randomFrom(text) {
  let state = [...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16777619), 2166136261)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
