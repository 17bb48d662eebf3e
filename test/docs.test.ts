import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { ctlCommand } from '../src/cli/ctl.js'
import { errorsTable } from '../src/errors.js'
import { startMock } from '../src/index.js'
import { optionsTable } from '../src/options.js'
import {
  backupStatesTable, quotasList, refreshStatesTable, regionsTable, restoreStatesTable, stateTable, transitionsTable, typesTable, versionsTable,
  workspaceStatesTable
} from './doc-tables.js'

/** A part of a document, between `<!-- marker:begin -->` and `<!-- marker:end -->`, that is made from the code. */
interface Block {
  readonly file: string
  readonly marker: string
  readonly generate: () => string
}

const BLOCKS: readonly Block[] = [
  { file: 'README.md', marker: 'options', generate: optionsTable },
  { file: 'docs/placeholders.md', marker: 'errors', generate: errorsTable },
  { file: 'docs/placeholders.md', marker: 'workspace-states', generate: workspaceStatesTable },
  { file: 'docs/placeholders.md', marker: 'refresh-states', generate: refreshStatesTable },
  { file: 'docs/placeholders.md', marker: 'backup-states', generate: backupStatesTable },
  { file: 'docs/placeholders.md', marker: 'restore-states', generate: restoreStatesTable },
  { file: 'docs/placeholders.md', marker: 'transitions', generate: transitionsTable },
  { file: 'docs/placeholders.md', marker: 'regions', generate: regionsTable },
  { file: 'docs/placeholders.md', marker: 'versions', generate: versionsTable },
  { file: 'docs/placeholders.md', marker: 'types', generate: typesTable },
  { file: 'docs/placeholders.md', marker: 'quotas', generate: quotasList },
  { file: 'docs/state.md', marker: 'state', generate: stateTable }
]

const UPDATE_COMMAND = 'npm run docs'
const isUpdate = process.env['UPDATE_DOCS'] === '1'

const ROOT = new URL('../', import.meta.url)
const DOCUMENTS = [
  'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'examples/README.md',
  ...readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
]

for (const { file, marker, generate } of BLOCKS) {
  void t.test(`the block ${marker} of ${file} is what the code says`, (t) => {
    const [before, block, after] = split(read(file), marker)
    const expected = `\n${generate()}\n`
    if (isUpdate && block !== expected) {
      writeFileSync(new URL(file, ROOT), before + expected + after)
      t.comment(`${file}: rewrote the block ${marker}`)
    } else {
      t.equal(block, expected, `${file} is stale: update it by '${UPDATE_COMMAND}'`)
    }
    t.end()
  })
}

for (const file of DOCUMENTS) {
  void t.test(`every relative link of ${file} leads to a file`, (t) => {
    for (const target of relativeLinks(read(file))) t.ok(existsSync(new URL(target, new URL(file, ROOT))), target)
    t.end()
  })
}

void t.test('docs/architecture.md gives the reason of every runtime dependency and override', (t) => {
  const { dependencies, overrides } = JSON.parse(read('package.json')) as Record<'dependencies' | 'overrides', Record<string, string>>
  const text = read('docs/architecture.md')
  for (const name of Object.keys({ ...dependencies, ...overrides })) t.ok(text.includes(`| \`${name}\``), `${name} has a row`)
  t.end()
})

for (const file of ['README.md', 'docs/test-control.md']) {
  void t.test(`every call that ${file} shows gets the reply below it`, async (t) => {
    await using mock = await startMock()
    // Ids are others in each run: those that are shown, with what takes their place here.
    const ids = new Map<string, string>()
    const shown = calls(read(file))
    t.equal(shown.length, read(file).split(/^```sh\n(?:curl|svc-mock ctl) /m).length - 1, 'each call has a reply below it')
    for (const { command, reply } of shown) {
      const own = command.replace(UUID, (id) => ids.get(id) ?? id)
      const real = JSON.stringify(withoutRest(command.startsWith('curl') ? await curl(own, mock.url) : await control(t, own, mock.url), reply))
      t.strictSame(general(real), general(JSON.stringify(reply)), command)
      const realIds = real.match(UUID) ?? []
      JSON.stringify(reply).match(UUID)?.forEach((id, index) => { ids.set(id, realIds[index] ?? id) })
    }
  })
}

type Fields = Record<string, unknown>
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** The key that stands in a parsed reply for fields which the document leaves out. */
const REST = '…'

/** Makes the call that a curl command makes. @returns the parsed reply */
async function curl(command: string, server: string): Promise<unknown> {
  const { url, ...request } = parseCurl(command)
  return (await fetch(url.replace('http://127.0.0.1:4700', server), request)).json()
}

/** Runs a command that controls a server. @returns what it prints */
async function control(t: Test, command: string, server: string): Promise<unknown> {
  const log = t.capture(console, 'log')
  const code = await ctlCommand([...wordsOf(command).slice(1), '--url', server])
  log.restore()
  t.equal(code, 0, command)
  return JSON.parse(log().map(({ args }) => String(args[0])).join('\n'))
}

/** The shell blocks that call the server, each with the JSON block that follows it. */
function calls(text: string): { command: string; reply: Fields }[] {
  const blocks = text.matchAll(/^```sh\n((?:curl|svc-mock ctl) .*?)\n```\n\n```json\n(.*?)\n```$/gms)
  return [...blocks].map(([, command, reply]) =>
    ({ command: command!.replaceAll('\\\n', ' '), reply: JSON.parse(reply!.replaceAll(REST, `"${REST}": 0`)) as Fields }))
}

/** The words of a command, without the first. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!).slice(1)
}

function parseCurl(command: string): { url: string; method: string; headers: Record<string, string>; body?: string } {
  const words = wordsOf(command)
  const valuesOf = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []))
  const url = words.find((word) => word.startsWith('http'))!
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string]))
  const [body] = valuesOf('-d')
  const method = valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST')
  return { url, method, headers, ...(body === undefined ? {} : { body }) }
}

/** Parses a reply in which all ids are the same, and all timestamps. */
const general = (text: string): unknown => JSON.parse(text.replace(UUID, 'id').replace(TIMESTAMP, 'time'))

/** A reply without the fields that the document leaves out of it. */
function withoutRest(real: unknown, shown: unknown): unknown {
  if (typeof real !== 'object' || real === null || typeof shown !== 'object' || shown === null) return real
  if (Array.isArray(real)) return real.map((item, index) => withoutRest(item, (shown as unknown[])[index]))
  const keys = Object.keys(REST in shown ? shown : real)
  return Object.fromEntries(keys.map((key) => [key, key === REST ? 0 : withoutRest((real as Fields)[key], (shown as Fields)[key])]))
}

function read(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8')
}

/** The text before, in and after a block; the markers go with what is around it. */
function split(text: string, marker: string): [before: string, block: string, after: string] {
  const begin = `<!-- ${marker}:begin -->`
  const end = `<!-- ${marker}:end -->`
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf(end, from)
  if (!text.includes(begin) || to < 0) throw new Error(`the markers ${begin} and ${end} are missing`)
  return [text.slice(0, from), text.slice(from, to), text.slice(to)]
}

/** The targets of the links to files, without what follows a `#`. Code is not looked at. */
function relativeLinks(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.split('#')[0]!)
  return targets.filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
}
