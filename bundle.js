import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

// Makes dist/: the server with all packages that are plain JavaScript, in few files. They are loaded in much less time
// than the thousand that they are made of, and whoever installs svc-mock installs SQLite only.

/** What cannot be bundled. */
const ADDON = 'better-sqlite3'

/** Packages that are loaded when they are first needed, if ever: each is a file of its own. */
const LATE = { ajv: 'ajv', jmespath: 'jmespath', swagger: '@fastify/swagger' }

/**
 * What packages load for features that the server brings itself or does not use: Fastify for compiled schemas and for
 * tests without a server, the SDK of the Model Context Protocol for questions to users.
 */
const UNUSED = {
  fastify: /^(?:@fastify\/(?:ajv|fast-json-stringify)-compiler|light-my-request)$/,
  '@modelcontextprotocol/server': /^\.\/ajvProvider/
}

const url = (path) => new URL(path, import.meta.url)

/** The package that a module belongs to; undefined if it is the server's own. */
const packageOf = (id) => /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1]

/** Begins the id of a module that has nothing in it. */
const NOTHING = '\0nothing:'

const packages = {
  name: 'packages',
  resolveId: (id, importer = '') => (UNUSED[packageOf(importer)]?.test(id) === true ? { id: `${NOTHING}${id}` } : null),
  load: (id) => (id.startsWith(NOTHING) ? 'module.exports = {}' : null),
  // The source map is about this package alone, and so is the coverage that is counted by it.
  transform: (code, id) => (packageOf(id) === undefined ? null : { code, map: { mappings: '' } })
}

/** What the command line knows of the calls under /_mock: a value that takes the whole server to be worked out. */
const CALLS = 'src/cli/ctl-calls.ts'

const calls = {
  name: 'calls',
  load: async (id) =>
    id === fileURLToPath(url(CALLS)) ? `export const CONTROL_COMMANDS = ${JSON.stringify(await commandCalls())}` : null
}

async function commandCalls() {
  const bundle = await rolldown({ cwd: import.meta.dirname, input: CALLS, platform: 'node', external })
  const dir = 'node_modules/.cache/calls'
  const { output } = await bundle.write({ dir })
  await bundle.close()
  return (await import(url(`${dir}/${output[0].fileName}`).href)).CONTROL_COMMANDS
}

const loads = {
  name: 'loads',
  // The lines stay what they are, for the source map.
  renderChunk: (code) => ({
    code: Object.entries(LATE).reduce(
      (text, [file, name]) => text.replaceAll(`("${name}")`, `("../packages/${file}.cjs")`),
      code
    ),
    map: null
  })
}

/** What a package tries to load and does without: it is installed here by chance. */
const OPTIONAL = 'supports-color'

const external = (id) => id.startsWith('node:') || id === ADDON || id === OPTIONAL
const written = []

async function write(input, plugins, output) {
  const bundle = await rolldown({ cwd: import.meta.dirname, input, platform: 'node', plugins, external })
  const { output: chunks } = await bundle.write({ dir: 'dist', ...output })
  await bundle.close()
  written.push(...chunks)
  return chunks
}

/** What has an entry of its own. */
const ENTRIES = { index: 'src/node/index.ts', cli: 'src/cli/main.ts', worker: 'src/fidelity/masking/worker.ts' }

// CommonJS, for require() in Jest, whose loader takes no ES modules, and because V8's code for it can be kept.
const chunks = await write(ENTRIES, [calls, packages, loads], {
  sourcemap: true,
  format: 'cjs',
  // As deep as the modules in src/ that look for files of the package.
  entryFileNames: 'cjs/[name].cjs',
  chunkFileNames: 'cjs/[name].cjs'
})
await write(LATE, [packages], {
  // For what has no source map: nobody reads it, and names stay what they are.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  format: 'cjs',
  entryFileNames: 'packages/[name].cjs',
  chunkFileNames: 'packages/[name].cjs'
})

// ES modules that load these entries.
const { exports } = chunks.find(({ name }) => name === 'index')
writeFileSync(url('dist/index.js'), `export { ${exports.join(', ')} } from './cjs/index.cjs'\n`)
await write({ load: 'src/cli/load.ts' }, [], { entryFileNames: 'cli/[name].js' })
rmSync(url('dist/cache/'), { recursive: true, force: true })
const hash = createHash('sha256')
for (const { code = '' } of chunks) hash.update(code)
const build = hash.digest('hex').slice(0, 16)
writeFileSync(
  url('dist/cli/main.js'),
  `#!/usr/bin/env node
import { load } from './load.js'

load({ dist: new URL('..', import.meta.url), build: '${build}', command: process.argv[2] ?? '' })
`
)

// What `svc-mock run --virtual-time` loads into clients.
cpSync(url('src/run/preload/'), url('dist/run/preload/'), {
  recursive: true,
  // Python leaves compiled files where it finds a module.
  filter: (path) => !path.includes('__pycache__')
})

// The page at /docs.
const SWAGGER_UI = '@fastify/swagger-ui'
cpSync(url('src/http/docs-page/'), url('dist/docs/'), { recursive: true })
copyFileSync(url('generated/swagger-ui-bundle.js.LICENSE.txt'), url('dist/docs/swagger-ui-bundle.js.LICENSE.txt'))
for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
  copyFileSync(url(`node_modules/${SWAGGER_UI}/static/${name}`), url(`dist/docs/${name}`))

// What the Model Context Protocol shows as a resource.
mkdirSync(url('dist/mcp/'), { recursive: true })
copyFileSync(url('docs/assumptions.md'), url('dist/mcp/assumptions.md'))

const bundled = new Set(written.flatMap(({ moduleIds = [] }) => moduleIds.map(packageOf)))
const licenses = [...bundled, SWAGGER_UI].filter(Boolean).sort().map(licenseOf)
// That package contains another one without its licence, whose text TypeScript has, too. That one's own packages are in
// generated/swagger-ui-bundle.js.LICENSE.txt, made from its source map.
const apache = readFileSync(url('node_modules/typescript/LICENSE.txt'), 'utf8').trim().replaceAll('\r', '')
licenses.push(
  `## Swagger UI, in ${SWAGGER_UI}

Its packages are in docs/swagger-ui-bundle.js.LICENSE.txt.

Copyright 2020-2021 SmartBear Software Inc. (Apache-2.0)

${quoted(apache)}
`
)
writeFileSync(url('dist/licenses.md'), `# Licenses\n\nThe bundle contains these packages.\n\n${licenses.join('\n')}`)

function licenseOf(name) {
  const folder = url(`node_modules/${name}/`)
  const { version, license, author } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^(?:un)?licen[cs]e/i.test(entry))
  if (file === undefined && license !== 'MIT') throw new Error(`${name} has no text of its licence, ${license}`)
  const text = file === undefined ? mitLicenseOf(author) : readFileSync(new URL(file, folder), 'utf8').trim()
  return `## ${name} ${version} (${license})\n\n${quoted(text)}\n`
}

function quoted(text) {
  return text.replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '')
}

/** The licence of a package that only names it. */
function mitLicenseOf(author) {
  const own = readFileSync(url('LICENSE'), 'utf8').trim()
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${author?.name ?? author}`)
}

// The types that the public ones need; those of the rest would refer to packages that nobody has installed.
const TYPES = ['node_modules/.cache/types/', 'generated/']
const REFERENCE = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g
const copied = new Set()

function copyTypes(path) {
  if (copied.has(path)) return
  copied.add(path)
  const folder = TYPES.find((folder) => existsSync(url(folder + path)))
  const text = readFileSync(url(folder + path), 'utf8')
  mkdirSync(dirname(url(`dist/${path}`).pathname), { recursive: true })
  writeFileSync(url(`dist/${path}`), text)
  const toCommonJs = (reference) => reference.replace(/\.js(['"])$/, '.cjs$1')
  writeFileSync(url(`dist/${path.replace(/\.ts$/, '.cts')}`), text.replaceAll(REFERENCE, toCommonJs))
  for (const [, reference] of text.matchAll(REFERENCE))
    copyTypes(new URL(`${reference}.d.ts`, `file:///${path}`).pathname.slice(1))
}
copyTypes('node/index.d.ts')
