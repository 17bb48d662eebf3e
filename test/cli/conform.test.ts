import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { PERTURBATIONS } from '../fidelity/perturbations.js'
import { archiveOf, playService } from '../fidelity/real-service.js'
import { type Body, runToEnd } from '../helper.js'

const conform = (t: Test, ...args: readonly string[]) => runToEnd(t, ['conform', ...args])

const recording = async (t: Test, perturbed = '') =>
  written(t, (await playService({ seed: 1, perturb: PERTURBATIONS[perturbed] })).slice(0, 120))

function written(t: Test, exchanges: readonly Exchange[]): string {
  const file = join(t.testdir(), 'service.har')
  writeFileSync(file, archiveOf(exchanges))
  return file
}

void t.test('agreement exits with 0, and all reports are written', async (t) => {
  const file = await recording(t)
  const reports = ['html', 'json', 'junit'].map((format) => join(t.testdirName, `report.${format}`))
  const [html, json, junit] = reports as [string, string, string]
  t.match(await conform(t, file, '--html', html, '--json', json, '--junit', junit), {
    code: 0,
    out: /contradicted \(0\)/
  })
  t.ok(reports.every((report) => existsSync(report)))
  const { assumptions, ledger }: Body = JSON.parse(readFileSync(json, 'utf8'))
  t.ok(assumptions.confirmed > 20 && ledger.length > 150)
  t.match(readFileSync(junit, 'utf8'), /<testsuites name="svc-mock conform" tests="\d+" failures="0"/)
  t.match(readFileSync(html, 'utf8'), /^<!doctype html>/)
  for (const report of [html, junit]) t.notMatch(readFileSync(report, 'utf8'), /`|\]\(/, 'without Markdown')
})

void t.test('the page shows each exchange that it cites, without secrets', async (t) => {
  const played = (await playService({ seed: 1, perturb: PERTURBATIONS['another size of a type'] })).slice(0, 120)
  const first = played.findIndex(({ method, requestBody }) => method === 'POST' && requestBody !== undefined)
  const admin = { admin_password: 'Corr3ct-Horse', ...(played[first]!.requestBody as object) }
  const changed = played.with(first, { ...played[first]!, requestBody: admin, query: 'token=tok-1234' })
  const [text, type] = ['access_token=tok-5678', { 'content-type': 'text/plain' }]
  const file = written(
    t,
    changed.map((exchange) => (exchange.status === 404 ? { ...exchange, headers: type, body: text } : exchange))
  )
  const report = join(t.testdirName, 'report.html')
  t.equal((await conform(t, file, '--html', report)).code, 1)
  const page = readFileSync(report, 'utf8')
  const linked = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!)
  t.ok(linked.length > 20)
  t.strictSame(
    linked.filter((id) => !page.includes(`id="${id}"`)),
    []
  )
  t.match(page, `id="exchange-${first + 1}"`)
  t.match(page, `A text of ${text.length} characters.`)
  for (const secret of ['Corr3ct-Horse', 'tok-1234', 'tok-5678']) t.notMatch(page, secret)
  t.equal(statSync(report).mode & 0o777, 0o600, 'a report may hold names')
})

void t.test('a contradiction exits with 1, unless it is allowed', async (t) => {
  const file = await recording(t, 'another size of a type')
  const first = await conform(t, file)
  t.equal(first.code, 1, first.errors)
  const ids = [...first.out.matchAll(/^(P-\d{3}) {2}/gm)].map(([, id]) => id!)
  t.ok(ids.length > 0)
  t.match(first.out, /svc-mock learn /)
  for (const allowed of [ids.flatMap((id) => ['--allow', id]), ['--allow', ids.join(',')]]) {
    const second = await conform(t, file, ...allowed)
    t.equal(second.code, 0, second.out)
  }
})

void t.test('input that cannot be compared exits with 2', async (t) => {
  const compared = await recording(t)
  const file = join(t.testdirName, 'other.har')
  writeFileSync(file, '{"log":{"version":"1.2","entries":[]}}')
  for (const args of [
    [compared, '--html', t.testdirName],
    [compared, '--html', relative('', compared)],
    // A full disk.
    ...(existsSync('/dev/full') ? [[compared, '--html', '/dev/full']] : []),
    [],
    ['service.har', '--live', 'https://api.example.test'],
    ['service.har', '--allow', 'P-999'],
    ['service.har', '--json', '-', '--html', '-'],
    [file, '--profile', join(t.testdirName, 'missing.yaml')],
    [file, '--profile', file],
    [join(t.testdirName, 'missing.har')],
    [file]
  ]) {
    const { code, errors } = await conform(t, ...args)
    t.equal(code, 2, `${args.join(' ')}: ${errors}`)
    t.not(errors, '')
  }
})

void t.test('exchanges that prove nothing exit with 2, and a reason', async (t) => {
  const exchanges = (await playService({ seed: 1 })).slice(0, 2)
  const refused = exchanges.map((exchange) => ({ ...exchange, status: 401 }))
  const lost = exchanges.map((exchange) => ({ ...exchange, status: null }))
  for (const [taken, reason] of [
    [refused, /2 with a refused credential/],
    [lost, /2 failed or unanswered/]
  ] as const) {
    const { code, out, errors } = await conform(t, written(t, taken))
    t.equal(code, 2)
    t.match(errors, reason)
    t.notMatch(out, /contradicted/)
  }
})

void t.test('a report can go to the standard output', async (t) => {
  const { code, out, errors } = await conform(t, await recording(t), '--json', '-')
  t.equal(code, 0, errors)
  t.ok((JSON.parse(out) as { ledger: unknown[] }).ledger.length > 150)
  t.match(errors, /contradicted \(0\)/)
})
