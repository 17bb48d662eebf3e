import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Import { readonly from: string; readonly typeOnly: boolean }
interface SourceFile { readonly path: string; readonly imports: readonly Import[]; readonly names: ReadonlySet<string> }

interface Rule {
  readonly files: RegExp
  /** All that these files may import, packages by their names; the files of one's own folder are always included. */
  readonly only?: readonly RegExp[]
  /** What they may import besides that, for its types alone. */
  readonly types?: readonly RegExp[]
  readonly never?: readonly RegExp[]
  /** Global names that may not occur. */
  readonly without?: readonly string[]
  readonly because: string
  /** A file that breaks the rule, and what is found in it. */
  readonly broken: readonly [path: string, text: string, finding: string]
}

const RULES: readonly Rule[] = [
  {
    files: /^resources\/[^/]+\/schemas\.ts$/,
    only: [/^@sinclair\/typebox$/, /^http\/schemas\.ts$/, /^errors\.ts$/, /^resources\/metadata\/catalogue\.ts$/, /^resources\/[^/]+\/schemas\.ts$/],
    because: 'a schema says what travels, and nothing else decides about that',
    broken: ['resources/a/schemas.ts', "import { x } from '../../world.js'", 'world.ts']
  },
  {
    files: /^resources\/[^/]+\/store\.ts$/,
    only: [/^db\//],
    because: 'a store knows rows; ids and times are given to it, and a status is not its business',
    broken: ['resources/a/store.ts', "import { notFound } from '../../errors.js'", 'errors.ts']
  },
  {
    files: /^resources\/[^/]+\/lifecycle\.ts$/,
    only: [/^sim\//, /^errors\.ts$/, /^resources\/[^/]+\/(store|lifecycle)\.ts$/],
    types: [/^sandboxes\//],
    because: 'what happens over time must be testable without HTTP',
    broken: ['resources/a/lifecycle.ts', "import Fastify from 'fastify'", 'fastify']
  },
  {
    files: /^resources\/[^/]+\/routes\.ts$/,
    only: [/^@sinclair\/typebox$/, /^errors\.ts$/, /^group-by\.ts$/, /^http\//, /^resources\/metadata\/catalogue\.ts$/, /^resources\/[^/]+\/(schemas|present)\.ts$/],
    types: [/^@fastify\/type-provider-typebox$/, /^fastify$/, /^sandboxes\//, /^sim\//, /^world\.ts$/],
    because: 'a handler reaches other resources only through the world that it is given',
    broken: ['resources/a/routes.ts', "import { openWorld } from '../../world.js'", 'world.ts']
  },
  {
    files: /^resources\/[^/]+\/routes\.ts$/,
    never: [/^resources\/(?!metadata\/catalogue)[^/]+\/(store|lifecycle|routes)\.ts$/],
    because: 'two resources that import each other cannot be read or changed apart',
    broken: ['resources/a/routes.ts', "import type { B } from '../b/store.js'", 'resources/b/store.ts']
  },
  {
    files: /^sim\//,
    never: [/^resources\//, /^http\//, /^fastify$/],
    because: 'the simulation drives whatever is registered with it, and knows none of it',
    broken: ['sim/engine.ts', "import '../resources/a/lifecycle.js'", 'resources/a/lifecycle.ts']
  },
  {
    files: /^(resources|sim)\//,
    never: [/^control\//],
    because: 'the mirrored interface must not depend on what is there for tests',
    broken: ['resources/a/schemas.ts', "export { x } from '../../control/plugin.js'", 'control/plugin.ts']
  },
  {
    files: /^(resources|sim)\//,
    never: [/^journal\//],
    because: 'what is written down about a change must not decide about it',
    broken: ['sim/engine.ts', "import type { Journal } from '../journal/journal.js'", 'journal/journal.ts']
  },
  {
    files: /^journal\//,
    never: [/^resources\//, /^control\//],
    because: 'the journal takes rows and requests as they come, and who shows them is another matter',
    broken: ['journal/journal.ts', "import { x } from '../resources/a/store.js'", 'resources/a/store.ts']
  },
  {
    files: /^journal\/(?!recorder\.ts$)/,
    never: [/^http\//, /^fastify$/],
    because: 'changes that were made from Node are written down as well',
    broken: ['journal/journal.ts', "import { pathOf } from '../http/arrival.js'", 'http/arrival.ts']
  },
  {
    files: /^(?!cli\/|console\/)/,
    never: [/^cli\//],
    without: ['console'],
    because: 'inside another program the server must not write to its terminal',
    broken: ['app.ts', 'console.log(1)', 'console']
  },
  {
    files: /^(?!cli\/|console\/)/,
    without: ['process.env', 'process.exit', 'process.argv'],
    because: 'configuration is injected, never read inside',
    broken: ['app.ts', 'const x = process.env.HOME', 'process.env']
  },
  {
    files: /^(?!cli\/|console\/|sim\/clock\.ts$)/,
    without: ['Date', 'setTimeout', 'setInterval', 'performance'],
    because: 'time comes from the clock, so that a test can hold it still',
    broken: ['world.ts', 'const x = new Date()', 'Date']
  },
  {
    files: /^(?!cli\/|console\/|sim\/random\.ts$)/,
    without: ['Math.random', 'randomUUID', 'randomBytes', 'getRandomValues'],
    because: 'chance and ids come from one stream, so that a run can be repeated',
    broken: ['world.ts', "import { randomUUID } from 'node:crypto'\nrandomUUID()", 'randomUUID']
  },
  {
    files: /^state\//,
    only: [
      /^@sinclair\/typebox$/, /^yaml$/, /^node:fs\/promises$/, /^(errors|group-by)\.ts$/, /^sim\//, /^http\/(addresses|schemas|validation)\.ts$/, /^control\/(check|schemas)\.ts$/,
      /^control\/simulation\/(present|schemas|transitions)\.ts$/, /^control\/faults\/(rule|schemas)\.ts$/, /^resources\/[^/]+\/(?!routes\.ts)/, /^sandboxes\/quotas\.ts$/
    ],
    types: [/^world\.ts$/, /^sandboxes\//],
    because: 'a document is put into a sandbox the same way, whoever brings it: a file, a request or the database',
    broken: ['state/apply.ts', "import { openWorld } from '../world.js'", 'world.ts']
  },
  {
    files: /^(resources|sim|sandboxes|db|http)\//,
    never: [/^state\//],
    because: 'a resource does not know that it can be part of a document',
    broken: ['resources/a/store.ts', "import type { StateDocument } from '../../state/schemas.js'", 'state/schemas.ts']
  },
  {
    files: /^db\//,
    only: [/^better-sqlite3$/, /^node:/],
    because: 'the database serves whoever asks and knows nobody',
    broken: ['db/database.ts', "import { VERSION } from '../version.js'", 'version.ts']
  },
  {
    files: /^console\//,
    only: [/^preact(\/hooks)?$/, /^console\//],
    because: 'the page runs in a browser, and knows the server by what it answers alone',
    broken: ['console/model/a.ts', "import { toTimestamp } from '../../sim/clock'", 'sim/clock']
  },
  {
    files: /^console\//,
    without: ['localStorage', 'indexedDB', 'cookie', 'innerHTML', 'dangerouslySetInnerHTML'],
    because: 'a key goes with the tab that it was given to, and what the server says is text, never markup',
    broken: ['console/model/a.ts', 'localStorage.clear()', 'localStorage']
  },
  {
    files: /^(?!console\/)/,
    never: [/^console\//],
    because: 'the page is built apart, and the server only sends its files',
    broken: ['control/a.ts', "import { App } from '../console/app.js'", 'console/app.ts']
  }
]

/** Reads the imports and the global names of a file with TypeScript's own parser, so that comments and texts do not count. */
function parse(path: string, text: string): SourceFile {
  const imports: Import[] = []
  const names = new Set<string>()
  const resolve = (specifier: string) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts') : specifier
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
      const typeOnly = ts.isExportDeclaration(node) ? node.isTypeOnly : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      imports.push({ from: resolve(node.moduleSpecifier.text), typeOnly })
    } else if (ts.isCallExpression(node) && ['import', 'require'].includes(node.expression.getText(source)) && ts.isStringLiteral(node.arguments[0]!)) {
      imports.push({ from: resolve(node.arguments[0].text), typeOnly: false })
    } else if (ts.isPropertyAccessExpression(node)) {
      names.add(node.getText(source).replaceAll(/\s/g, ''))
    } else if (ts.isIdentifier(node)) {
      names.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  visit(source)
  return { path, imports, names }
}

function breaches({ only, types = [], never = [], without = [] }: Rule, { path, imports, names }: SourceFile): string[] {
  const isOneOf = (patterns: readonly RegExp[], from: string) => patterns.some((pattern) => pattern.test(from))
  const isOwn = (from: string) => posix.dirname(from) === posix.dirname(path)
  return [
    ...imports.filter(({ from, typeOnly }) =>
      (only !== undefined && !isOwn(from) && !isOneOf(only, from) && !(typeOnly && isOneOf(types, from)))
      || (isOneOf(never, from) && !isOwn(from))).map(({ from }) => from),
    ...without.filter((name) => names.has(name))
  ]
}

function filesOf(directory: string): SourceFile[] {
  const top = join(ROOT, directory)
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .map((path) => parse(path, readFileSync(join(top, path), 'utf8')))
}

const all = filesOf('src')

/** What runs in Node. */
const sources = all.filter(({ path }) => !path.startsWith('console/'))

for (const rule of RULES) {
  void t.test(`${String(rule.files)}: ${rule.because}`, async (t) => {
    t.strictSame(all.filter(({ path }) => rule.files.test(path)).flatMap((file) => breaches(rule, file).map((found) => `${file.path}: ${found}`)), [])
    const [path, text, finding] = rule.broken
    t.match(path, rule.files, 'the rule is for the example')
    t.strictSame(breaches(rule, parse(path, text)), [finding], 'the rule can be broken')
  })
}

void t.test('every package that the sources load is a runtime dependency', async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const packageOf = (from: string) => from.split('/').slice(0, from.startsWith('@') ? 2 : 1).join('/')
  const known = new Set(sources.map(({ path }) => path))
  const loaded = sources.flatMap(({ imports }) => imports).filter(({ from, typeOnly }) => !typeOnly && !known.has(from) && !from.startsWith('node:'))
  t.ok(loaded.some(({ from }) => from === 'ajv'), 'packages are found')
  t.strictSame([...new Set(loaded.map(({ from }) => packageOf(from)))].filter((name) => !Object.hasOwn(dependencies, name)), [])
})

void t.test('a type may be imported where its module may not', async (t) => {
  const rule = RULES.find(({ files }) => files.test('resources/a/routes.ts'))!
  t.strictSame(breaches(rule, parse('resources/a/routes.ts', "import type { World } from '../../world.js'")), [])
})

void t.test('imports are found however they are written, and comments and texts do not count', async (t) => {
  const { imports, names } = parse('a/b.ts', [
    "import '../c.js'", "export * from './d.js'", "const x = await import('e')", "import type { T } from 'f'", "// import 'g'", "const y = \"import 'h'; new Date()\""
  ].join('\n'))
  t.strictSame(imports, [
    { from: 'c.ts', typeOnly: false }, { from: 'a/d.ts', typeOnly: false }, { from: 'e', typeOnly: false }, { from: 'f', typeOnly: true }
  ])
  t.equal(names.has('Date'), false)
})

void t.test('every source file is loaded by a test or by the command line, so that it counts for the coverage', async (t) => {
  const byPath = new Map(sources.map((file) => [file.path, file]))
  const loaded = new Set<string>()
  const load = (path: string): void => {
    const file = byPath.get(path)
    if (file === undefined || loaded.has(path)) return
    loaded.add(path)
    for (const { from, typeOnly } of file.imports) if (!typeOnly) load(from)
  }
  load('cli/main.ts')
  for (const { imports } of filesOf('test')) {
    for (const { from } of imports) {
      // Seen from test/, the sources are at ../src/.
      const source = /^(?:\.\.\/)+src\/(.+)$/.exec(from)?.[1]
      if (source !== undefined) load(source)
    }
  }
  t.strictSame([...byPath.keys()].filter((path) => !loaded.has(path)), [])
})
