import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Body, CONTROLLER, runProgram, startServer } from '../helper.js'
import { findProgram, plainEnvironment } from '../programs.js'
import { freePort, lacking, ROOT, run } from './tools.js'

// examples/prometheus.yaml with another port and a shorter interval.

const skip = lacking({ prometheus: 'prometheus', promtool: 'prometheus' })

/** Starts Prometheus. @returns its URL */
async function startPrometheus(t: Test, target: string): Promise<string> {
  const folder = t.testdir()
  const example = readFileSync(join(ROOT, 'examples/prometheus.yaml'), 'utf8')
  for (const part of ['127.0.0.1:4700', '15s']) t.match(example, part)
  const config = join(folder, 'prometheus.yaml')
  writeFileSync(config, example.replaceAll('127.0.0.1:4700', target).replaceAll('15s', '1s'))
  const address = `127.0.0.1:${await freePort(t)}`
  const settings = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`]
  const { child, errors } = runProgram(
    t,
    [findProgram('prometheus')!, ...settings, `--web.listen-address=${address}`],
    plainEnvironment()
  )
  return await untilDone(`http://${address}`, async (url) => {
    if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${errors()}`)
    const { ok } = await fetch(`${url}/-/ready`)
    return ok ? url : undefined
  })
}

/** Repeats a request until it has a result. */
async function untilDone<T>(url: string, ask: (url: string) => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const refused = (error: unknown) => {
      // Not listening yet.
      if (!(error instanceof TypeError)) throw error
      return undefined
    }
    const answer = await ask(url).catch(refused)
    if (answer !== undefined) return answer
    if (tries === 600) throw new Error(`no answer of ${url}`)
    await sleep(100)
  }
}

void t.test('the example is a valid configuration of Prometheus', { skip }, async (t) => {
  t.match(await run('promtool', ['check', 'config', 'examples/prometheus.yaml']), 'SUCCESS')
})

void t.test('Prometheus scrapes a server, and a query finds its metrics', { skip, timeout: 180_000 }, async (t) => {
  const { url } = await startServer(t, ['--db', ':memory:'])
  for (let count = 0; count < 3; count++)
    await (
      await fetch(`${url}${CONTROLLER}/workgroups`, {
        method: 'POST',
        headers: { 'x-api-key': 'scraped', 'content-type': 'application/json' },
        body: JSON.stringify({ cloud_provider_id: 'a' })
      })
    ).text()
  const prometheus = await startPrometheus(t, new URL(url).host)
  const query = (text: string) =>
    untilDone(prometheus, async () => {
      const reply = await fetch(`${prometheus}/api/v1/query?${new URLSearchParams({ query: text }).toString()}`)
      const { data }: Body = await reply.json()
      const [found] = data.result as { value: [number, string] }[]
      return found?.value[1]
    })
  t.equal(await query('svc_mock_requests_total{operation="createWorkgroup",status="200"}'), '3')
  t.equal(await query('up{job="svc-mock"}'), '1')
  t.equal(await query('svc_mock_sandboxes'), '1')
  t.match(await query('histogram_quantile(0.5, sum(svc_mock_commit_batch_size_bucket) by (le))'), /^[\d.]+$/)
})
