import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { ALONE, FILES, groupOf, GROUPS } from './groups.js'
import { BUNDLED } from './packages.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  readonly from: string
  readonly typeOnly: boolean
  /** Whether it takes all that there is. */
  readonly isWhole: boolean
}
interface SourceFile {
  readonly path: string
  readonly imports: readonly Import[]
  readonly exports: readonly string[]
  readonly names: ReadonlySet<string>
  /** Whether there is more in it than types. */
  readonly hasCode: boolean
}

/** From the bottom up: a file may import what is on its own floor or below it. */
const FLOORS: readonly (readonly [name: string, files: RegExp])[] = [
  ['lib', /^lib\//],
  ['db', /^db\//],
  ['interface', /^interface\//],
  ['profile', /^profile\//],
  ['sim', /^sim\//],
  ['journal', /^journal\//],
  ['options', /^options\.ts$/],
  ['sandboxes', /^sandboxes\//],
  ['resources', /^resources\//],
  ['documents', /^documents\//],
  ['test control', /^test-control\//],
  ['exploration', /^explore\//],
  ['recording', /^recording\//],
  ['agents', /^mcp\//],
  ['http', /^http\//],
  ['node', /^node\//],
  ['fidelity', /^fidelity\//],
  ['run', /^run\//],
  ['command line', /^cli\//]
]

interface Rule {
  readonly files: RegExp
  /** Packages, and global names, that may not occur. */
  readonly without: readonly string[]
  readonly because: string
}

const RULES: readonly Rule[] = [
  {
    // A test runner is asked for only by what runs the server within another program.
    files: /^(?!cli\/|console\/|node\/mock\.ts$)/,
    without: ['process.env', 'process.exit', 'process.argv'],
    because: 'another program may run the server'
  },
  {
    files: /^(?!cli\/print\.ts$|console\/)/,
    without: ['console', 'process.stdout.write', 'process.stderr.write'],
    because: 'a terminal obeys control characters, which a file may hold'
  },
  {
    files: /^(?!cli\/|console\/|lib\/time\.ts$)/,
    without: ['Date'],
    because: 'time is read and written in one place'
  },
  {
    files: /^(?!cli\/|console\/|lib\/time\.ts$)/,
    without: ['Date.now', 'setTimeout', 'setInterval', 'performance'],
    because: 'time comes from the clock, so that a test can stop it'
  },
  {
    files: /^(?!cli\/|console\/|lib\/time\.ts$)/,
    without: ['setImmediate', 'queueMicrotask', 'nextTick'],
    because: "a test's fake timers must not stop a server in its process"
  },
  {
    files: /^(?!cli\/|console\/|sim\/random\.ts$)/,
    without: ['Math.random', 'randomUUID', 'randomBytes', 'getRandomValues'],
    because: 'chance and ids come from one stream, so that a run can be repeated'
  },
  {
    files: /^(?!http\/)/,
    without: ['fastify', '@fastify/type-provider-typebox'],
    because: 'only one face of the server speaks HTTP'
  },
  {
    files: /^console\//,
    without: ['localStorage', 'indexedDB', 'cookie', 'innerHTML', 'dangerouslySetInnerHTML'],
    because: 'a key stays in its tab, and what the server says is text, never markup'
  }
]

/**
 * Reads the imports and the global names of a file with TypeScript's own parser, so that comments and texts do not
 * count.
 */
function parse(path: string, text: string): SourceFile {
  const imports: Import[] = []
  const names = new Set<string>()
  const resolve = (specifier: string) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts') : specifier
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const typeOnly = ts.isExportDeclaration(node)
        ? node.isTypeOnly
        : node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      const isWhole = ts.isExportDeclaration(node)
        ? node.exportClause === undefined
        : /\* as \w/.test(node.importClause?.getText(source) ?? '')
      imports.push({ from: resolve(node.moduleSpecifier.text), typeOnly, isWhole })
    } else if (
      ts.isCallExpression(node) &&
      ['import', 'require'].includes(node.expression.getText(source)) &&
      ts.isStringLiteral(node.arguments[0]!)
    ) {
      imports.push({ from: resolve(node.arguments[0].text), typeOnly: false, isWhole: true })
    } else if (ts.isPropertyAccessExpression(node)) {
      names.add(node.getText(source).replaceAll(/\s/g, ''))
    } else if (ts.isIdentifier(node) && !isOwnName(node)) {
      names.add(node.text)
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  visit(source)
  const hasCode = source.statements.some(
    (statement) =>
      !ts.isInterfaceDeclaration(statement) &&
      !ts.isTypeAliasDeclaration(statement) &&
      !ts.isImportDeclaration(statement) &&
      !ts.isExportDeclaration(statement)
  )
  return { path, imports, exports: namesExported(text), names, hasCode }
}

/** Whether an identifier names a property that the file itself writes down, as in `{ console: '/_mock/' }`. */
const isOwnName = (node: ts.Identifier) => ts.isPropertyAssignment(node.parent) && node.parent.name === node

/** The names that a file exports. */
function namesExported(text: string): string[] {
  const declared = text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)
  const listed = text.matchAll(/^export (?:const |type )?\{([^}]+)\}/gm)
  return [
    ...Array.from(declared, ([, name]) => name!),
    ...Array.from(listed, ([, names]) => names!.split(',')).flatMap((names) =>
      names.flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? [])
    )
  ]
}

/** Global names and packages of a rule that a file uses. */
const breaches = ({ without }: Rule, { imports, names }: SourceFile): string[] =>
  without.filter((name) => names.has(name) || imports.some(({ from }) => from === name))

const floorOf = (path: string) => FLOORS.findIndex(([, files]) => files.test(path))

/** Imports that run upwards, types included. */
const upwards = ({ path, imports }: SourceFile): string[] =>
  imports.filter(({ from }) => floorOf(from) > floorOf(path)).map(({ from }) => `${path} -> ${from}`)

/** A chain of imports that leads back to where it began. */
function circleOf(files: readonly SourceFile[]): string[] | undefined {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const walk = (path: string, above: readonly string[]): string[] | undefined => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const { from } of byPath.get(path)?.imports ?? []) {
      const found = walk(from, [...above, path])
      if (found !== undefined) return found
    }
    done.add(path)
    return undefined
  }
  for (const { path } of files) {
    const found = walk(path, [])
    if (found !== undefined) return found
  }
  return undefined
}

/** What files export, and no file that imports them names. */
function unimported(files: readonly SourceFile[], importers: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, exports }) => {
    const isTaken = (name: string) =>
      importers.some(({ imports, names }) =>
        imports.some(({ from, isWhole }) => from === path && (isWhole || names.has(name)))
      )
    return exports.filter((name) => !isTaken(name)).map((name) => `${path}: ${name}`)
  })
}

function filesOf(directory: string, names = /\.tsx?$/): SourceFile[] {
  const top = join(ROOT, directory)
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && names.test(entry.name) && !/node_modules/.test(entry.parentPath.slice(top.length))
    )
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .map((path) => parse(path, readFileSync(join(top, path), 'utf8')))
}

const all = filesOf('src')

/** What runs in Node. */
const sources = all.filter(({ path }) => !path.startsWith('console/'))

void t.test('imports run downwards, types included', async (t) => {
  const floorless = sources.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)
  t.strictSame(floorless, [], 'every file has a floor')
  t.strictSame(sources.flatMap(upwards), [])
})

void t.test('there are at most 19 rooms, a file beside them, and 110 arrows between them', async (t) => {
  const roomOf = (path: string) => path.split('/')[0]!
  const rooms = new Set(all.map(({ path }) => roomOf(path)))
  const files = [...rooms].filter((room) => room.includes('.'))
  t.strictSame(files, ['options.ts'])
  t.ok(rooms.size - files.length <= 19)
  const arrows = new Set(
    all.flatMap(({ path, imports }) =>
      imports
        .map(({ from }) => roomOf(from))
        .filter((room) => rooms.has(room) && room !== roomOf(path))
        .map((room) => `${roomOf(path)} -> ${room}`)
    )
  )
  t.ok(arrows.size <= 110, `${arrows.size}`)
})

void t.test('fidelity knows the server from outside: it imports no store, no sandbox, no hook', async (t) => {
  const inner = /^(?:db|journal|sandboxes|http)\/|\/store\.ts$/
  const breaches = all
    .filter(({ path, imports }) => path.startsWith('fidelity/') && imports.some(({ from }) => inner.test(from)))
    .map(({ path }) => path)
  t.strictSame(breaches, [])
})

void t.test('there are no circles, types included', async (t) => {
  t.equal(circleOf(all), undefined)
})

const STANDS_ALONE = new RegExp(
  String.raw`^(documents/demo|lib/(fill-path|group-by|percent-decoded|whole-schema)|` +
    String.raw`recording/(difference|patch)|.+/hosts)(\.ts)?$`
)

void t.test(
  'the console takes only types, the demo and what stands alone from the server, which takes nothing from it',
  async (t) => {
    const outside = (file: SourceFile) =>
      file.imports.filter(
        ({ from, typeOnly }) => !typeOnly && !/^(console\/|preact(\/hooks)?$)/.test(from) && !STANDS_ALONE.test(from)
      )
    t.strictSame(all.filter(({ path }) => path.startsWith('console/')).flatMap(outside), [])
    const imported = sources.flatMap(({ imports }) => imports.filter(({ from }) => from.startsWith('console/')))
    t.strictSame(imported, [])
  }
)

for (const rule of RULES) {
  void t.test(`${rule.without.join(', ')} only where they belong: ${rule.because}`, async (t) => {
    t.strictSame(
      all
        .filter(({ path }) => rule.files.test(path))
        .flatMap((file) => breaches(rule, file).map((found) => `${file.path}: ${found}`)),
      []
    )
  })
}

void t.test('what a file exports is imported by another one, unless the package exports it', async (t) => {
  // Seen from there, the sources are at ../src/, and what is built from them at ../dist/.
  const outside = ['test', 'bench']
    .flatMap((directory) => filesOf(directory, /\.m?[jt]s$/))
    .map(({ imports, ...file }) => ({
      ...file,
      imports: imports.map((one) => ({ ...one, from: one.from.replace(/^(\.\.\/)+(src|dist)\//, '') }))
    }))
  const unused = unimported(all, [...all, ...outside]).filter((name) => !/^(console\/|node\/index\.ts: )/.test(name))
  t.strictSame(unused, [])
})

void t.test('every package that the sources load is installed with them, or bundled', async (t) => {
  const { optionalDependencies: dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const packageOf = (from: string) =>
    from
      .split('/')
      .slice(0, from.startsWith('@') ? 2 : 1)
      .join('/')
  const known = new Set(sources.map(({ path }) => path))
  const loaded = sources
    .flatMap(({ imports }) => imports)
    .filter(({ from, typeOnly }) => !typeOnly && !known.has(from) && !from.startsWith('node:'))
  const isFound = loaded.some(({ from }) => from === 'ajv')
  t.ok(isFound, 'packages are found')
  t.strictSame(
    [...new Set(loaded.map(({ from }) => packageOf(from)))].filter(
      (name) => !Object.hasOwn(dependencies, name) && !BUNDLED.includes(name)
    ),
    []
  )
})

void t.test(
  'every source file but the one that a process begins with is loaded by a test, so that it counts for the coverage',
  async (t) => {
    const byPath = new Map(sources.map((file) => [file.path, file]))
    const loaded = new Set<string>()
    const load = (path: string): void => {
      const file = byPath.get(path)
      if (file === undefined || loaded.has(path)) return
      loaded.add(path)
      for (const { from, typeOnly } of file.imports) if (!typeOnly) load(from)
    }
    // A thread begins with a file of its own.
    load('fidelity/masking/worker.ts')
    for (const { imports } of filesOf('test'))
      for (const { from } of imports) {
        // Seen from test/, the sources are at ../src/.
        const source = /^(?:\.\.\/)+src\/(.+)$/.exec(from)?.[1]
        if (source !== undefined) load(source)
      }
    const unloaded = sources.filter(({ path, hasCode }) => hasCode && !loaded.has(path)).map(({ path }) => path)
    t.strictSame(unloaded, ['cli/main.ts'])
  }
)

void t.test('every test file is in a group or runs alone, and what the groups name is there', async (t) => {
  const ungrouped = FILES.filter((file) => groupOf(file) === undefined && !ALONE.includes(file))
  t.strictSame(ungrouped, [])
  const members = Object.values(GROUPS).flat()
  t.equal(new Set(members).size, members.length, 'nothing is named twice')
  const folders = FILES.map((file) => posix.dirname(file))
  const absent = [...members, ...ALONE].filter((member) => !FILES.includes(member) && !folders.includes(member))
  t.strictSame(absent, [])
  t.strictSame(
    readdirSync(join(ROOT, 'test/groups')).sort(),
    Object.keys(GROUPS)
      .map((name) => `${name}.ts`)
      .sort(),
    'each group has its file'
  )
})
