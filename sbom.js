import { readFileSync, writeFileSync } from 'node:fs'

// Lists what the package contains, and what it installs if it can, in the form of CycloneDX: dist/sbom.cdx.json.

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')
const { packages } = JSON.parse(read('package-lock.json'))
const { name, version, license } = JSON.parse(read('package.json'))

/** The headings of both lists of licences, that of the server and that of the page. */
const HEADING = /^## (?<name>\S+) (?:- )?\d/gm
const bundled = ['dist/licenses.md', 'dist/console/licenses.md'].flatMap((path) =>
  [...read(path).matchAll(HEADING)].map(({ groups }) => groups.name)
)
const paths = new Set(bundled.map((name) => `node_modules/${name}`))
const installed = Object.keys(packages).filter((path) => path !== '' && !packages[path].dev && !paths.has(path))

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** @param scope as CycloneDX has it: whether the package works without it */
function componentOf(path, scope) {
  const { version, license, integrity } = packages[path]
  const name = path.split('node_modules/').at(-1)
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    scope,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }],
    purl: purlOf(name, version)
  }
}

const own = {
  type: 'application',
  'bom-ref': purlOf(name, version),
  name,
  version,
  licenses: [{ license: { id: license } }]
}
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { ...own, purl: purlOf(name, version) } },
  components: [
    ...[...paths].map((path) => componentOf(path, 'required')),
    ...installed.map((path) => componentOf(path, 'optional'))
  ]
}
// The page at /docs, which is not installed, but a part of this package.
const page = document.components.find(({ name }) => name === '@fastify/swagger-ui')
const { devDependencies } = JSON.parse(read(`node_modules/${page.name}/package.json`))
const purl = purlOf('swagger-ui-dist', devDependencies['swagger-ui-dist'])
page.components = [
  {
    type: 'library',
    'bom-ref': purl,
    name: 'swagger-ui-dist',
    version: devDependencies['swagger-ui-dist'],
    licenses: [{ license: { id: 'Apache-2.0' } }],
    externalReferences: [{ type: 'license', url: 'docs/swagger-ui-bundle.js.LICENSE.txt' }],
    purl
  }
]
writeFileSync(new URL('dist/sbom.cdx.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
