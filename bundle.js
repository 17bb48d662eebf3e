import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

// Puts the server into few files, which are loaded in much less time than the hundreds that they are made of. TypeBox
// goes into them, for it alone is 200; all other packages stay what npm installs.
const BUNDLED = '@sinclair/typebox'

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')
const packages = Object.keys(JSON.parse(read('package.json')).dependencies).filter((name) => name !== BUNDLED)

// Packages of the old kind are required: to import one, Node first reads all that it is made of, in search of names.
// That is a quarter of the time of a start.
const COMMON_JS = ['better-sqlite3', 'fastify', 'find-my-way', 'ipaddr.js', 'pino']
const IMPORT = /^import (\w+)?(?:, )?(\{.*\})? from "(.+)";$/gm
const requireCommonJs = {
  name: 'require-common-js',
  // The lines stay what they are, for the source map.
  renderChunk: (code) => ({ code: code.replace(IMPORT, required), map: null })
}

function required(line, whole, names = '', name) {
  if (!COMMON_JS.includes(name)) return line
  const loader = `require_${name.replaceAll(/\W/g, '_')}`
  const wanted = [whole, names.replaceAll(' as ', ': ')].filter(Boolean)
  return [
    `import { createRequire as ${loader} } from "node:module";`,
    ...wanted.map((variable) => `const ${variable} = ${loader}(import.meta.url)("${name}");`)
  ].join(' ')
}

const bundle = await rolldown({
  cwd: import.meta.dirname,
  input: { index: 'src/index.ts', 'cli/main': 'src/cli/main.ts' },
  platform: 'node',
  // The source map is about this package alone, and so is the coverage that is counted by it.
  plugins: [
    {
      name: 'own-sources-only',
      transform: (code, id) => (id.includes(BUNDLED) ? { code, map: { mappings: '' } } : null)
    },
    requireCommonJs
  ],
  external: (id) => id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`))
})
await bundle.write({
  dir: 'dist',
  sourcemap: true,
  // As deep as the modules in src/ that look for files of the package.
  chunkFileNames: 'chunks/[name].js',
  banner: ({ moduleIds }) =>
    moduleIds.some((id) => id.includes(BUNDLED))
      ? `/*! With ${BUNDLED}:\n${read(`node_modules/${BUNDLED}/license`)}*/`
      : ''
})
await bundle.close()
