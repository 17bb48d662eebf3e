import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, posix, relative } from 'node:path'
import t from 'tap'
import { ROOT, run } from './tools.js'

// What `npm publish` would send, installed into an empty project and used from there.

const MOST_BYTES = 3_000_000

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}
interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
const NOT_SOURCES = new Set(['.git', '.tap', 'data', 'dist', 'node_modules'])

const STATIC_IMPORT = /^(?:import|export)\b[^'"]*?["']([^"'.][^"']*)["'];$/
const DYNAMIC_IMPORT = /\b(?:import|require[\w$]*)(?:\(import\.meta\.url\))?\(["']([^"'.][^"']*)["']\)/

void t.test('the npm package', { timeout: 600_000 }, async (t) => {
  const work = mkdtempSync(join(tmpdir(), 'svc-mock-package-'))
  t.teardown(() => {
    rmSync(work, { recursive: true, force: true })
  })

  // Packing builds anew, so it happens in a copy: other tests use what is built here.
  const source = join(work, 'source')
  cpSync(ROOT, source, { recursive: true, filter: (path) => !NOT_SOURCES.has(basename(path)) || path === ROOT })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  const [packed] = JSON.parse(
    await run('npm', ['pack', '--silent', '--json', '--pack-destination', work], { cwd: source, minutes: 2 })
  ) as [Packed]

  await t.test('has what is built from each source, and what it needs, and nothing else', (t) => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.startsWith('console/')
    )
    const page = readdirSync(join(ROOT, 'dist/console'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
    const expected = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
      ...readdirSync(join(ROOT, 'migrations')).map((name) => `migrations/${name}`),
      'dist/index.js',
      ...['dist/cli/main.js', 'dist/chunks/mock.js'].flatMap((path) => [path, `${path}.map`]),
      ...sources.map((path) => `dist/${path.replace(/\.ts$/, '.d.ts')}`),
      ...page.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    ]
    t.strictSame(packed.files.map(({ path }) => path).sort(), expected.sort())
    t.comment(`${packed.files.length} files, ${packed.unpackedSize} bytes unpacked`)
    t.ok(packed.unpackedSize < MOST_BYTES, `${packed.unpackedSize} bytes are less than ${MOST_BYTES}`)
    t.end()
  })

  await t.test('names every package that it imports as a dependency', (t) => {
    const declared = new Set(Object.keys(manifest.dependencies))
    const dist = join(source, 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'))
    const imported = new Set(
      files.flatMap((path) =>
        [
          ...readFileSync(join(dist, path), 'utf8').matchAll(
            new RegExp(`${STATIC_IMPORT.source}|${DYNAMIC_IMPORT.source}`, 'gm')
          )
        ].map(([, statically, dynamically]) => (statically ?? dynamically)!)
      )
    )
    t.ok(
      ['fastify', 'ajv', 'yaml'].every((name) => imported.has(name)),
      'those that are loaded at the start, and later'
    )
    for (const name of imported) {
      if (name.startsWith('node:') || builtinModules.includes(name)) continue
      const [scope = '', rest = ''] = name.split('/')
      t.ok(declared.has(scope.startsWith('@') ? posix.join(scope, rest) : scope), name)
    }
    t.end()
  })

  await t.test('has source maps that hold their sources', (t) => {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(source, 'dist/chunks/mock.js.map'), 'utf8')) as {
      sources: string[]
      sourcesContent: string[]
    }
    t.equal(
      sourcesContent[sources.indexOf('../../src/open-control-plane.ts')],
      readFileSync(join(ROOT, 'src/open-control-plane.ts'), 'utf8')
    )
    t.end()
  })

  await t.test('has the licence of what is built into it', (t) => {
    t.match(
      readFileSync(join(source, 'dist/chunks/mock.js'), 'utf8'),
      readFileSync(join(ROOT, 'node_modules/@sinclair/typebox/license'), 'utf8')
    )
    t.end()
  })

  const project = join(work, 'project')
  cpSync(join(work, packed.filename), join(project, 'svc-mock.tgz'))
  const write = (name: string, text: string) => {
    writeFileSync(join(project, name), text)
  }
  write('package.json', '{ "private": true, "allowScripts": { "better-sqlite3": true } }')
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', './svc-mock.tgz'], { cwd: project, minutes: 8 })

  await t.test('is used from JavaScript', async (t) => {
    write(
      'use.mjs',
      `
      import { startMock } from 'svc-mock'
      const mock = await startMock()
      const reply = await fetch(mock.url + '/controller/v4/v2/workgroups', { headers: mock.sandbox().headers })
      console.log(reply.status, (await reply.json()).Result)
      await mock.close()`
    )
    t.equal(await run(process.execPath, ['use.mjs'], { cwd: project }), '200 []\n')
  })

  await t.test('brings the console along', async (t) => {
    write(
      'console.mjs',
      `
      import { startMock } from 'svc-mock'
      const mock = await startMock()
      const page = await (await fetch(mock.url + '/_mock/')).text()
      const assets = [...page.matchAll(/"[.][/](assets[/][^"]+)"/g)]
      for (const [, path] of assets) console.log((await fetch(mock.url + '/_mock/' + path)).headers.get('content-type'))
      await mock.close()`
    )
    t.equal(
      await run(process.execPath, ['console.mjs'], { cwd: project }),
      'text/javascript; charset=utf-8\ntext/css; charset=utf-8\n'
    )
  })

  await t.test('is used from CommonJS by require()', async (t) => {
    write(
      'use.cjs',
      `
      const { startMock } = require('svc-mock')
      startMock().then(async (mock) => {
        console.log((await fetch(mock.url + '/_mock/ready')).status, require('svc-mock/package.json').version)
        await mock.close()
      })`
    )
    t.equal(await run(process.execPath, ['use.cjs'], { cwd: project }), `200 ${manifest.version}\n`)
  })

  await t.test('is used from TypeScript, with all its types', async (t) => {
    // Without skipLibCheck, so that the types of all that the package uses must be there.
    const options = {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')]
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
        // @ts-expect-error an option that there is not
        await startMock({ prot: 1 })
        // @ts-expect-error a time is no number
        await box.clock.freeze(1)
        return box.clock.read()
      }`
    write(
      'use.mts',
      `import { startMock, type Clock, type Mock, type Options, type SandboxHandle } from 'svc-mock'${code}`
    )
    write(
      'use.cts',
      `import { startMock, type Clock, type Mock, type Options, type SandboxHandle } from 'svc-mock'${code}`
    )
    const tsc = (...args: string[]) =>
      run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args], { cwd: project, minutes: 2 })
    t.equal(await tsc('-p', '.'), '')
    t.match(
      await tsc('-p', '.', '--explainFiles'),
      /node_modules\/svc-mock\/dist\/index\.d\.ts/,
      'by the types of the package'
    )
  })

  await t.test('has its command', async (t) => {
    const command = join(project, 'node_modules/.bin/svc-mock')
    t.equal(await run(command, ['--version'], { cwd: project }), `${manifest.version}\n`)
    t.match(await run('npx', ['--no-install', 'svc-mock', 'serve', '--help'], { cwd: project }), /--max-sandboxes N/)
    t.notOk(existsSync(join(project, 'data')), 'which writes nothing by itself')
  })
})
