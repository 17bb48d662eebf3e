import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { ctlCommand } from '../src/cli/ctl.js'
import { CONTROL_COMMANDS } from '../src/cli/ctl-calls.js'
import { startMock } from '../src/node/index.js'
import { optionsTable } from '../src/options.js'
import { openProfile } from '../src/resources/open-profile.js'
import { alike, DRAWN_ID } from './alike.js'
import { conflictTable } from './conflict-table.js'
import {
  ASSUMED,
  DECLARED_IDS,
  idProblems,
  idsIn,
  SECTION_BLOCKS,
  withAssumedCells,
  withNewIds
} from './doc-assumptions.js'
import { anchorsOf, blocksOf, linksOf, problemsOf, REST, wordsOf } from './doc-blocks.js'
import { CALL_MARKERS, callsTable } from './doc-calls.js'
import { read, replaceFile, withBlock } from './doc-parts.js'
import * as tables from './doc-tables.js'
import { goCalls } from './go-calls.js'
import { handleTypes } from './handle-types.js'
import { type Body, captured } from './helper.js'
import { handleRoutes } from './operation-routes.js'
import { BUNDLED } from './packages.js'
import { publishedSource } from './published.js'
import { pythonClient } from './python-client.js'
import { stateDiagrams } from './state-diagrams.js'

interface Generated {
  readonly file: string
  readonly generate: (t: Test) => string | Promise<string>
}

/** Generated parts of documents, between `<!-- marker:begin -->` and `<!-- marker:end -->`. */
const BLOCKS: readonly (Generated & { readonly marker: string })[] = [
  { file: 'docs/agents.md', marker: 'tools', generate: tables.toolsTable },
  { file: 'README.md', marker: 'proven', generate: tables.provenSentence },
  { file: 'docs/fidelity.md', marker: 'honesty', generate: tables.honestyTable },
  { file: 'docs/options.md', marker: 'options', generate: optionsTable },
  { file: 'docs/test-control.md', marker: 'report-rules', generate: tables.reportRulesTable },
  { file: 'docs/test-control.md', marker: 'coverage-lists', generate: tables.coverageTable },
  { file: 'docs/test-control.md', marker: 'fields-advance', generate: () => tables.inputTables('advanceClock') },
  {
    file: 'docs/test-control.md',
    marker: 'fields-rule',
    generate: () => tables.inputTables('replaceTransitionRules', 'rules')
  },
  { file: 'docs/test-control.md', marker: 'fields-fault', generate: () => tables.inputTables('addFault') },
  { file: 'docs/test-control.md', marker: 'fields-expectation', generate: () => tables.inputTables('verifyRequests') },
  { file: 'docs/assumptions.md', marker: 'errors', generate: tables.errorsTable },
  { file: 'docs/assumptions.md', marker: 'workspace-states', generate: tables.workspaceStatesTable },
  { file: 'docs/assumptions.md', marker: 'refresh-states', generate: tables.refreshStatesTable },
  { file: 'docs/assumptions.md', marker: 'backup-states', generate: tables.backupStatesTable },
  { file: 'docs/assumptions.md', marker: 'restore-states', generate: tables.restoreStatesTable },
  { file: 'docs/assumptions.md', marker: 'transitions', generate: tables.transitionsTable },
  { file: 'docs/assumptions.md', marker: 'quotas', generate: tables.quotasTable },
  ...SECTION_BLOCKS,
  ...CALL_MARKERS.map((marker) => ({ file: 'docs/test-control.md', marker, generate: () => callsTable(marker) }))
]

/** Generated files. */
const WHOLE: readonly (Generated & { readonly title?: string })[] = [
  { file: 'src/interface/operation-routes.ts', generate: handleRoutes },
  { file: 'src/resources/published.ts', generate: publishedSource },
  { file: 'generated/test-control/handle/types.d.ts', generate: handleTypes },
  { file: 'clients/python/svc_mock/__init__.py', generate: pythonClient },
  { file: 'docs/generated/catalogue.md', title: 'Catalogue', generate: tables.catalogueTables },
  { file: 'docs/generated/conflicts.md', title: 'Conflicting requests, pair by pair', generate: conflictTable },
  { file: 'docs/generated/explore-plans.md', title: 'Plans of an exploration', generate: tables.explorePlans },
  { file: 'docs/generated/interface-fields.md', title: 'Fields of the interface', generate: interfaceFields },
  { file: 'docs/generated/states.md', title: 'States, in pictures', generate: stateDiagrams },
  { file: 'clients/go/calls.go', generate: goCalls }
]

const isUpdate = process.env['UPDATE_DOCS'] === '1'

const ROOT = new URL('../', import.meta.url)
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  'clients/python/README.md',
  'clients/go/README.md',
  'examples/README.md',
  ...documentsIn('docs/'),
  ...WHOLE.flatMap(({ file }) => (/^docs\/generated\/.*\.md$/.test(file) ? [file] : []))
]

async function interfaceFields(): Promise<string> {
  await using mock = await startMock()
  const { components }: Body = await (await fetch(`${mock.url}/openapi.json`)).json()
  return tables.schemaTables(components.schemas)
}

function documentsIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}${name}`)
}

/** Tests that a file is up to date; UPDATE_DOCS first updates it. */
function testFile(what: string, file: string, generate: Generated['generate']): void {
  void t.test(`${what} is up to date`, async (t) => {
    const text = await generate(t)
    if (isUpdate && replaceFile(file, text)) t.comment(`wrote ${file}`)
    t.equal(read(file), text, `${file} is stale: update it by 'npm run docs'`)
  })
}

for (const { file, title, generate } of WHOLE) {
  testFile(file, file, async (t) => {
    const content = await generate(t)
    return title === undefined ? content : `# ${title}\n\n${content.trim()}\n`
  })
}

for (const { file, marker, generate } of BLOCKS)
  testFile(`the block ${marker} of ${file}`, file, async (t) => withBlock(read(file), marker, await generate(t)))

for (const [what, file, renew] of [
  ['the column of assumptions in docs/interface.md', 'docs/interface.md', withAssumedCells],
  ['the list of all ids in test/assumption-ids.json', 'test/assumption-ids.json', withNewIds]
] as const)
  testFile(what, file, () => renew(read(file)))

void t.test('the documents name every assumption by its id, and no others', async (t) => {
  const named = [...new Set(ASSUMED.flatMap((file) => idsIn(read(file))))].sort()
  t.strictSame(named, [...DECLARED_IDS].sort())
  for (const file of DOCUMENTS) {
    const unknown = (read(file).match(/\bP-\d{3}\b/g) ?? []).filter((id) => !DECLARED_IDS.includes(id))
    t.strictSame(unknown, [], file)
  }
})

void t.test('every item of a list, and every row of a table, of docs/assumptions.md has an id', async (t) => {
  const [, ...sections] = read('docs/assumptions.md').split(/^## /m)
  const items = sections.flatMap((section) => section.match(/^(?:- |\| (?!---)).*/gm) ?? [])
  const unnamed = items.filter((item) => !/^(?:- \*\*P-\d{3}\*\* |\| (?:id|P-\d{3}) \|)/.test(item))
  t.strictSame(unnamed, [])
  t.not(items.length, 0)
})

void t.test('an id keeps its assumption, and is never reused', async (t) => {
  t.strictSame(idProblems(read('test/assumption-ids.json')), [])
})

void t.test('the handwritten documents are few and short', async (t) => {
  const written = (file: string) => read(file).replaceAll(/<!-- ([\w /-]+):begin -->.*?<!-- \1:end -->/gs, '')
  const kibibytes = (files: readonly string[], textOf: (file: string) => string = written) =>
    files.reduce((sum, file) => sum + Buffer.byteLength(textOf(file)), 0) / 1024
  t.ok(kibibytes(['README.md']) <= 8, 'README.md has at most 8 KiB')
  for (const guide of ['agents', 'fidelity', 'profiles', 'recording'])
    t.ok(kibibytes([`docs/${guide}.md`]) <= 8, `${guide} has at most 8 KiB`)
  const pages = documentsIn('docs/')
  t.equal(pages.length, 14)
  const all = ['README.md', 'CONTRIBUTING.md', ...pages]
  t.ok(kibibytes(all) <= 110)
  t.ok(kibibytes([...all, ...documentsIn('docs/generated/')], read) <= 180, 'with what is generated')
  for (const page of pages) t.match(read(page), /^# .+\n\n[^#\n|]/, `${page} begins with what it is for`)
})

void t.test('each profile in the guide and in the examples is valid', async (t) => {
  const guide = read('docs/profiles.md').matchAll(/^```yaml\n(profile: 1\n.*?)^```/gms)
  for (const text of [...Array.from(guide, ([, code]) => code!), read('examples/another-edition.yaml')])
    t.ok(await openProfile(parse(text) as object))
})

void t.test('every generated document is linked from another document', async (t) => {
  const linked = DOCUMENTS.flatMap((file) =>
    linksOf(read(file)).map((link) => new URL(link.file, new URL(file, ROOT)).href)
  )
  const generated = ['docs/generated/', 'bench/results/'].flatMap((folder) => documentsIn(folder))
  const unlinked = generated.filter((file) => !linked.includes(new URL(file, ROOT).href))
  t.strictSame(unlinked, [])
})

for (const file of DOCUMENTS) {
  void t.test(`every link of ${file} leads to a file, and to a heading if it names one`, async (t) => {
    for (const { file: target, anchor } of linksOf(read(file))) {
      const url = new URL(target, new URL(file, ROOT))
      const exists = t.ok(existsSync(url), `${target} exists`)
      if (!exists || anchor === undefined || statSync(url).isDirectory()) continue
      t.ok(anchorsOf(readFileSync(url, 'utf8')).has(anchor), `${target}#${anchor} is a heading`)
    }
  })

  void t.test(`every block of code of ${file} can be read, and names commands that exist`, async (t) => {
    for (const block of blocksOf(read(file)))
      t.strictSame(problemsOf(block), [], `the ${block.language} block in line ${block.line}`)
  })

  void t.test(`${file} tells nobody to fetch an unclaimed package by npx`, async (t) => {
    t.notMatch(read(file), /\bnpx\W+(?:args\W+)?svc-mock/)
  })

  void t.test(`every file of the sources that ${file} names exists`, async (t) => {
    const names = [...read(file).matchAll(/`((?:src|test|bench|migrations|docker|examples)\/[\w./-]*)`/g)].map(
      ([, name]) => name!
    )
    for (const name of names) t.ok(existsSync(new URL(name, ROOT)), name)
  })
}

void t.test('examples in YAML can be read', async (t) => {
  for (const file of ['ci/github-actions.yml', 'ci/gitlab-ci.yml', 'kubernetes.yaml', 'prometheus.yaml', 'seed.yaml'])
    t.strictSame(problemsOf({ language: 'yaml', code: read(`examples/${file}`) }), [], file)
})

void t.test('every section of docs/assumptions.md says how to change its assumptions', async (t) => {
  const sections = read('docs/assumptions.md')
    .split(/^(?=#{2,3} )/m)
    .slice(1)
  for (const section of sections) {
    const [heading = ''] = section.split('\n', 1)
    // A section that only introduces others has no text of its own.
    if (section.trim() !== heading) t.match(section, /Change it(?::|,)|\| change it \|/i, heading)
  }
})

void t.test(
  'docs/architecture.md gives the reason of every package that comes along, and of every override',
  async (t) => {
    const { dependencies, overrides } = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'overrides',
      Record<string, string>
    >
    const text = read('docs/architecture.md')
    for (const name of [...BUNDLED, ...Object.keys({ ...dependencies, ...overrides })])
      t.ok(text.includes(`\`${name}\``), `${name} has a reason`)
  }
)

void t.test('docs/test-control.md lists every method and command, and none that does not exist', async (t) => {
  await using mock = await startMock()
  const methods = Object.entries(mock.sandbox()).flatMap(([name, member]: [string, unknown]) => {
    // It calls the interface; docs/node.md describes it.
    if (name === 'call') return []
    if (typeof member === 'function') return [name]
    return name === 'headers' || typeof member === 'string'
      ? []
      : Object.keys(member as object).map((inner) => `${name}.${inner}`)
  })
  methods.push(...Object.keys(mock.sandboxes).map((name) => `mock.sandboxes.${name}`))
  // Rows such as: | `GET /_mock/clock` | `clock.read()` | `clock` |
  const rows = [...read('docs/test-control.md').matchAll(/^\| `[A-Z]+ \/.*\|$/gm)].map(([row]) =>
    row.split('|').slice(1, -1).map(codeOf)
  )
  const listed = (column: number, rest: RegExp) =>
    [...new Set(rows.flatMap((cells) => cells[column]!.map((cell) => cell.replace(rest, ''))))].sort()
  t.strictSame(listed(1, /\(.*/), methods.sort())
  t.strictSame(listed(2, / --.*/), CONTROL_COMMANDS.map(({ usage }) => usage).sort())
})

const codeOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

for (const [file, options] of [
  ['README.md', { demo: true }],
  ['docs/test-control.md', {}],
  ['docs/profiles.md', { profile: parse(/^```yaml\n(.*?)^```/ms.exec(read('docs/profiles.md'))![1]!) as object }]
] as [file: string, options: object][]) {
  void t.test(`every call that ${file} shows gets the reply below it`, async (t) => {
    await using mock = await startMock(options)
    // Ids differ in each run: the shown ones, with the real ones.
    const ids = new Map<string, string>()
    const shown = calls(read(file))
    t.equal(
      shown.length,
      read(file).split(/^```sh\n(?:curl|svc-mock ctl) /m).length - 1,
      'each call has a reply below it'
    )
    for (const { command, reply } of shown) {
      const own = command.replace(DRAWN_ID, (id) => ids.get(id) ?? id)
      const real = JSON.stringify(
        withoutRest(command.startsWith('curl') ? await curl(own, mock.url) : await control(t, own, mock.url), reply)
      )
      t.strictSame(alike(real), alike(JSON.stringify(reply)), command)
      const realIds = real.match(DRAWN_ID) ?? []
      JSON.stringify(reply)
        .match(DRAWN_ID)
        ?.forEach((id, index) => {
          ids.set(id, realIds[index] ?? id)
        })
    }
  })
}

type Fields = Record<string, unknown>

async function curl(command: string, server: string): Promise<unknown> {
  const { url, ...request } = parseCurl(command)
  return (await fetch(url.replace('http://127.0.0.1:4700', server), request)).json()
}

async function control(t: Test, command: string, server: string): Promise<unknown> {
  const { code, out } = await captured(t, () => ctlCommand([...wordsOf(command).slice(2), '--url', server]))
  t.equal(code, 0, command)
  return JSON.parse(out)
}

/** The shell blocks that call the server, with the JSON blocks that follow. */
function calls(text: string): { command: string; reply: Fields }[] {
  const blocks = text.matchAll(/^```sh\n((?:curl|svc-mock ctl) .*?)\n```\n\n```json\n(.*?)\n```$/gms)
  return [...blocks].map(([, command, reply]) => ({
    command: command!.replaceAll('\\\n', ' '),
    reply: JSON.parse(reply!.replaceAll(REST, `"${REST}": 0`)) as Fields
  }))
}

function parseCurl(command: string): { url: string; method: string; headers: Record<string, string>; body?: string } {
  const words = wordsOf(command).slice(1)
  const valuesOf = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []))
  const url = words.find((word) => word.startsWith('http'))!
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ') as [string, string]))
  const [body] = valuesOf('-d')
  const method = valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST')
  return { url, method, headers, ...(body === undefined ? {} : { body }) }
}

/** A reply without the fields that the document omits. */
function withoutRest(real: unknown, shown: unknown): unknown {
  if (typeof real !== 'object' || real === null || typeof shown !== 'object' || shown === null) return real
  if (Array.isArray(real)) return real.map((item, index) => withoutRest(item, (shown as unknown[])[index]))
  const keys = Object.keys(REST in shown ? shown : real)
  return Object.fromEntries(
    keys.map((key) => [key, key === REST ? 0 : withoutRest((real as Fields)[key], (shown as Fields)[key])])
  )
}
