import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { findProgram } from './programs.js'
import { temporaryFolder } from './temporary.js'

// docker/pin, with a docker that knows one digest.

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const skip = findProgram('bash') === undefined && 'needs bash'
const DIGEST = `sha256:${'0a'.repeat(32)}`

/** Runs docker/pin in a checkout with a Dockerfile. @returns its end, and the Dockerfile afterwards */
function makeCheckout(t: Test, dockerfile: string) {
  const root = temporaryFolder(t)
  mkdirSync(join(root, 'docker'))
  copyFileSync(join(ROOT, 'docker/pin'), join(root, 'docker/pin'))
  writeFileSync(join(root, 'Dockerfile'), dockerfile)
  return (docker: string) => {
    writeFileSync(join(root, 'docker/docker'), `#!/bin/bash\n${docker}\n`, { mode: 0o755 })
    const PATH = `${join(root, 'docker')}${delimiter}${process.env['PATH'] ?? ''}`
    const { status, stderr } = spawnSync('bash', [join(root, 'docker/pin')], { env: { PATH }, encoding: 'utf8' })
    return { status, stderr, dockerfile: readFileSync(join(root, 'Dockerfile'), 'utf8') }
  }
}

void t.test('every base image gets the current digest of its tag', { skip }, async (t) => {
  const pin = makeCheckout(t, 'FROM node:24 AS build\nRUN true\nFROM node:24 AS addon\nFROM debian:trixie-slim\n')
  const pinned = (digest: string) =>
    `FROM node:24@${digest} AS build\nRUN true\nFROM node:24@${digest} AS addon\nFROM debian:trixie-slim@${digest}\n`
  t.match(pin(`echo ${DIGEST}`), { status: 0, dockerfile: pinned(DIGEST) })
  const next = DIGEST.replaceAll('0a', '1b')
  t.match(pin(`echo ${next}`), { status: 0, dockerfile: pinned(next) })
})

void t.test('the Dockerfile stays as it is if an image has no digest', { skip }, async (t) => {
  const before = 'FROM debian:trixie-slim\n'
  const pin = makeCheckout(t, before)
  for (const docker of ['exit 1', 'echo "<no value>"']) {
    const { status, dockerfile } = pin(docker)
    t.equal(status, 1)
    t.equal(dockerfile, before)
  }
})
