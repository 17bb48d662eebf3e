import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import type { Body } from '../helper.js'
import { runtimePackages } from '../packages.js'
import { temporaryFolder } from '../temporary.js'
import { QUICK_COMPILER, ROOT, run } from './tools.js'

// The package that `npm publish` would send, installed into an empty project.

const NOT_SOURCES = new Set(['.git', '.tap', 'data', 'dist', 'node_modules'])
const MOST_BYTES = 10_700_000
const MOST_PACKAGES = 40

const manifest: Body = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** Names of the packages and modules that a file loads. */
function importsOf(file: string): string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    const name =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) &&
            /^(?:import|_*require\w*|.*\bcreateRequire\)?\(.*\))$/.test(node.expression.getText(source))
          ? node.arguments[0]
          : undefined
    if (name !== undefined && ts.isStringLiteral(name)) names.push(name.text)
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  visit(source)
  return names
}

void t.test('the npm package', { timeout: 600_000 }, async (t) => {
  const work = temporaryFolder(t)
  // Packing rebuilds dist/, which other tests use, so it happens in a copy.
  const source = join(work, 'source')
  cpSync(ROOT, source, { recursive: true, filter: (path) => !NOT_SOURCES.has(basename(path)) || path === ROOT })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', work], { cwd: source, minutes: 2 })
  ) as [{ filename: string; unpackedSize: number; files: { path: string }[] }]

  await t.test('has the build, the public types and no others, and its dependencies', async (t) => {
    const files = packed.files.map(({ path }) => path).sort()
    const page = readdirSync(join(source, 'dist/console'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
    const expected = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      ...readdirSync(join(ROOT, 'migrations')).map((name) => `migrations/${name}`),
      'dist/licenses.md',
      'dist/sbom.cdx.json',
      'dist/index.js',
      'dist/cli/load.js',
      'dist/cli/main.js',
      ...['index.html', 'page.css', 'page.js', 'swagger-ui.css'].map((name) => `dist/docs/${name}`),
      ...['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => `dist/docs/${name}`),
      'dist/mcp/assumptions.md',
      'dist/run/preload/node.mjs',
      'dist/run/preload/python/sitecustomize.py',
      ...page.map(({ parentPath, name }) => relative(source, join(parentPath, name)))
    ]
    const others = /^dist\/(?:cjs\/[\w-]+\.cjs(?:\.map)?|packages\/[\w-]+\.cjs|.*\.d\.c?ts)$/
    t.strictSame(
      files.filter((path) => !others.test(path)),
      expected.sort()
    )
    const types = files.filter((path) => /\.d\.c?ts$/.test(path))
    for (const kind of ['ts', 'cts'])
      for (const name of ['node/index', 'test-control/handle/types']) t.ok(types.includes(`dist/${name}.d.${kind}`))
    for (const path of types) t.notMatch(readFileSync(join(source, path), 'utf8'), /from '(?!node:|\.)/, path)
    t.comment(`${packed.files.length} files, ${packed.unpackedSize} bytes unpacked`)
    t.ok(packed.unpackedSize < MOST_BYTES, `${packed.unpackedSize} bytes are less than ${MOST_BYTES}`)
  })

  await t.test('loads only packages that it contains or installs', async (t) => {
    const declared = new Set(Object.keys(manifest.optionalDependencies as object))
    t.strictSame([...declared], ['better-sqlite3'])
    const dist = join(source, 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^(?:(?:cli\/)?[\w-]+\.js|cjs\/.*\.cjs)$/.test(path)
    )
    const imported = new Set(
      files.flatMap((path) => importsOf(join(dist, path))).filter((name) => !name.startsWith('.'))
    )
    t.ok(imported.has('better-sqlite3'), 'packages are found')
    for (const name of imported) {
      if (name.startsWith('node:') || builtinModules.includes(name) || name === 'svc-mock/package.json') continue
      t.ok(declared.has(name), name)
    }
  })

  await t.test('has source maps with their sources', async (t) => {
    const maps = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.map'))
    const found = maps
      .filter((path) => path.startsWith('dist/cjs/'))
      .map(
        (path) =>
          JSON.parse(readFileSync(join(source, path), 'utf8')) as { sources: string[]; sourcesContent: string[] }
      )
      .find(({ sources }) => sources.includes('../../src/test-control/open-control-plane.ts'))
    t.ok(found)
    t.equal(
      found?.sourcesContent[found.sources.indexOf('../../src/test-control/open-control-plane.ts')],
      readFileSync(join(ROOT, 'src/test-control/open-control-plane.ts'), 'utf8')
    )
  })

  await t.test('has the licences of bundled packages, as the list of packages does', async (t) => {
    const text = readFileSync(join(source, 'dist/licenses.md'), 'utf8')
    const contained = [...text.matchAll(/^## (\S+) (\S+) \((.*)\)$/gm)].map(([, ...fields]) => fields.join(' '))
    for (const name of ['fastify', 'pino', 'ajv', '@sinclair/typebox', '@fastify/swagger-ui'])
      t.ok(
        contained.some((line) => line.startsWith(`${name} `)),
        name
      )
    const listed = new Set(runtimePackages().map(({ name, version, license }) => `${name} ${version} ${license ?? ''}`))
    t.strictSame(
      contained.filter((line) => !listed.has(line)),
      []
    )
    const own = readFileSync(join(ROOT, 'node_modules/fastify/LICENSE'), 'utf8').trim().split('\n').at(-1)!
    t.ok(text.includes(own), 'with their texts')
    for (const section of text.split(/^## /m).slice(1)) t.ok(section.length > 500, section.slice(0, 40))
    const components = JSON.parse(readFileSync(join(source, 'dist/sbom.cdx.json'), 'utf8')).components as Body[]
    const counted = new Set(components.map(({ name, version }) => `${name} ${version}`))
    for (const line of contained) t.ok(counted.has(line.split(' ').slice(0, 2).join(' ')), line)
    for (const name of ['preact', 'better-sqlite3'])
      t.ok(
        components.some((one) => one.name === name),
        name
      )
    t.match(text, /^Copyright .* SmartBear .*\n\n> Apache License$/m)
    const inside = readFileSync(join(source, 'dist/docs/swagger-ui-bundle.js.LICENSE.txt'), 'utf8')
    const [swaggerUi] = /(?<=swagger-ui-dist )\d+\.\d+\.\d+/.exec(inside)!
    t.match(JSON.stringify(components), `"pkg:npm/swagger-ui-dist@${swaggerUi}"`, 'the list is of this version')
    for (const name of ['react', 'immutable', 'dompurify', 'highlight.js', 'lodash'])
      t.match(inside, new RegExp(`^${name} \\(.*\\)`, 'm'))
    for (const { name, hashes } of components) t.match(hashes[0]?.content, /^[0-9a-f]{128}$/, name)
  })

  const project = join(work, 'project')
  cpSync(join(work, packed.filename), join(project, 'svc-mock.tgz'))
  const write = (name: string, text: string) => writeFileSync(join(project, name), text)
  write('package.json', '{ "private": true, "allowScripts": { "better-sqlite3": true } }')
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', './svc-mock.tgz'], {
    cwd: project,
    env: QUICK_COMPILER,
    minutes: 8
  })

  await t.test('installs few packages', async (t) => {
    const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as { packages: object }
    // Without the project itself.
    const count = Object.keys(packages).length - 1
    t.ok(count <= MOST_PACKAGES, `${count} packages`)
  })

  await t.test('works in CommonJS with require(), and includes the console', async (t) => {
    write(
      'use.cjs',
      `
      const { startMock } = require('svc-mock')
      startMock().then(async (mock) => {
        const page = await (await fetch(mock.url + '/_mock/')).text()
        const assets = [...page.matchAll(/"[.][/](assets[/][^"]+)"/g)]
        const typeOf = async (path) => (await fetch(mock.url + '/_mock/' + path)).headers.get('content-type')
        for (const [, path] of assets) console.log(await typeOf(path))
        console.log(require('svc-mock/package.json').version)
        await mock.close()
      })`
    )
    t.equal(
      await run(process.execPath, ['use.cjs'], { cwd: project }),
      `text/javascript; charset=utf-8\ntext/css; charset=utf-8\n${manifest.version}\n`
    )
  })

  await t.test('works in TypeScript, with all its types', async (t) => {
    // Without skipLibCheck and the types of Node, so that all types must be there.
    const options = {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2020',
      lib: ['es2020', 'dom'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: []
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['use.mts', 'use.cts'] }))
    const code = `
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
      const close: Same<Awaited<ReturnType<typeof startMock>>, Mock> = true
      const port: Same<Options['port'], number> = true
      const auth: Same<Options['auth'], 'any' | 'strict' | 'off'> = true
      export const checks = [close, port, auth]
      export async function use(mock: Mock): Promise<Clock> {
        const box: SandboxHandle = mock.sandbox('key')
        await box.clock.advance({ until: 'idle' })
        // @ts-expect-error an unknown option
        await startMock({ prot: 1 })
        // @ts-expect-error a time is not a number
        await box.clock.freeze(1)
        return box.clock.read()
      }`
    const types = 'type Clock, type Mock, type Options, type SandboxHandle'
    for (const name of ['use.mts', 'use.cts']) write(name, `import { startMock, ${types} } from 'svc-mock'${code}`)
    const tsc = (...args: string[]) =>
      run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], { cwd: project, minutes: 2 })
    t.equal(await tsc('-p', '.'), '')
    t.match(
      await tsc('-p', '.', '--explainFiles'),
      /svc-mock\/dist\/node\/index\.d\.ts[^]*svc-mock\/dist\/node\/index\.d\.cts/,
      'by the types of the package'
    )
  })

  await t.test('has the command', async (t) => {
    const command = join(project, 'node_modules/.bin/svc-mock')
    t.equal(await run(command, ['--version'], { cwd: project }), `${manifest.version}\n`)
    t.match(await run('npx', ['--no-install', 'svc-mock', 'serve', '--help'], { cwd: project }), /--max-sandboxes N/)
    t.notOk(existsSync(join(project, 'data')), 'which writes nothing by itself')
  })
})
