import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { errorsTable } from '../src/errors.js'
import { optionsTable } from '../src/options.js'

/** A part of a document, between `<!-- marker:begin -->` and `<!-- marker:end -->`, that is made from the code. */
interface Block {
  readonly file: string
  readonly marker: string
  readonly generate: () => string
}

const BLOCKS: readonly Block[] = [
  { file: 'README.md', marker: 'options', generate: optionsTable },
  { file: 'docs/placeholders.md', marker: 'errors', generate: errorsTable }
]

const UPDATE_COMMAND = 'npm run docs'
const isUpdate = process.env['UPDATE_DOCS'] === '1'

const ROOT = new URL('../', import.meta.url)
const DOCUMENTS = [
  'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md',
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
