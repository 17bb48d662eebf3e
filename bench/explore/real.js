// Explores clients of other services, as npm and Debian package them, each behind an adaptor in real/ that translates
// its requests. Installs what is missing, as root, and writes bench/results/real-clients.md.
// Usage: node bench/explore/real.js [NAME…]
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { built, explore, here, SEED } from './set.js'

/** Programs by package. Debian packages have a prefix for their language. */
const CLIENTS = {
  '@linode/api-v4': 'linode.mjs',
  '@pinecone-database/pinecone': 'pinecone.mjs',
  '@scaleway/sdk-client': 'scaleway.mjs',
  cloudflare: 'cloudflare.mjs',
  'python3-digitalocean': 'droplets.py',
  'python3-hcloud': 'hetzner.py',
  'python3-libcloud': 'nodes.py',
  'python3-openstacksdk': 'database.py',
  'golang-github-digitalocean-godo-dev': 'godo.go',
  'golang-github-hetznercloud-hcloud-go-dev': 'hcloud.go'
}

const isOfDebian = (name) => /^(?:python3|golang)-/.test(name)

const wanted = process.argv.slice(2)
const names = Object.keys(CLIENTS).filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
const folder = mkdtempSync(join(tmpdir(), 'bench-real-'))
install(names)
const rows = []
for (const name of names) rows.push(await measure(name))
rmSync(folder, { recursive: true })
console.log(pageOf(rows))
if (wanted.length === 0) writeFileSync(here('../results/real-clients.md'), pageOf(rows))

function install(packages) {
  const quietly = { stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent', '--prefix', here('real')], quietly)
  // One client in Go needs a package that it does not depend on.
  const missing = [...packages.filter(isOfDebian), 'golang-go', 'golang-github-prometheus-client-golang-dev'].filter(
    (name) => versionOf(name) === undefined
  )
  if (missing.length > 0) execFileSync('apt-get', ['install', '-y', '-qq', ...missing], quietly)
}

function versionOf(name) {
  if (!isOfDebian(name)) return JSON.parse(readFileSync(here(`real/node_modules/${name}/package.json`), 'utf8')).version
  try {
    const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8', stdio: 'pipe' })
    return version === '' ? undefined : version
  } catch {
    return undefined
  }
}

function commandFor(file) {
  if (file.endsWith('.mjs')) return [process.execPath, here(`real/${file}`)]
  if (file.endsWith('.py')) return ['/usr/bin/python3', here(`real/${file}`)]
  for (const each of ['lib.go', file]) copyFileSync(here(`real/${each}`), join(folder, each))
  return [built([join(folder, 'lib.go'), join(folder, file)], { GOPATH: '/usr/share/gocode' })]
}

async function measure(name) {
  const report = join(folder, 'report')
  const begin = performance.now()
  const args = ['--timeout', '6s', '--jobs', '8', ...SEED, '--report', report, '--', ...commandFor(CLIENTS[name])]
  const { code, err } = await explore(args)
  if (code > 1) throw new Error(`${name} could not be explored: ${err}`)
  const result = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'))
  return { name, version: versionOf(name), seconds: Math.round((performance.now() - begin) / 1000), ...result }
}

function pageOf(rows) {
  const table = rows.map(
    ({ name, version, plans, runs, seconds, recovered, reported, findings }) =>
      `| ${name} | ${version} | ${plans} | ${runs} | ${seconds} | ${recovered} | ${reported} | ${findings.length} |`
  )
  const found = rows.flatMap(({ name, findings }) => [`## ${name}`, '', ...findings.map(inOneLine), ''])
  return [
    '# Clients of other services',
    '',
    `Written by \`node bench/explore/real.js\` on ${new Date().toISOString().slice(0, 10)}.`,
    '',
    'Each client is installed from npm or Debian. It makes, waits for, changes and deletes a thing through its own',
    'code, in a program of a few lines (`bench/explore/real`) that removes in the end what it has made. An adaptor',
    'translates paths and bodies. What was found is about the client, with that program and these options, against',
    'this mock.',
    'It says nothing about the services that the clients are for. A `hang` did not end within 18 seconds.',
    '',
    '| client | version | plans | runs | seconds | recovered | reported | findings |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...table,
    '',
    ...found
  ].join('\n')
}

function inOneLine({ kind, operation, faults: [{ kind: plan }], also, elsewhere }) {
  const calls = [...new Set([operation, ...elsewhere.map((other) => other.operation)])].join(', ')
  return `- \`${kind}\` at ${calls}: ${[plan, ...also].join(', ')}`
}
