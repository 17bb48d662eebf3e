import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import type { Body } from '../helper.js'
import { freePort, ROOT } from './tools.js'

// The action for GitHub's workflows. Its first step builds the checkout, which is the package's own test.

/** Runs the second step of the action. @returns its exit code, its output, and the outputs that it sets */
async function start(t: Test, options: string, port: number) {
  const { runs }: Body = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'))
  const folder = t.testdir({ output: '' })
  const child = spawn('bash', ['-e', '-c', runs.steps[1].run as string], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: join(folder, 'output'),
      RUNNER_TEMP: folder,
      OPTIONS: options,
      PORT: String(port)
    }
  })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = (await once(child, 'exit')) as [number]
  return { code, output, outputs: readFileSync(join(folder, 'output'), 'utf8'), pid: child.pid! }
}

void t.test('it starts a server with the options, which outlives the step', async (t) => {
  const { code, outputs, pid } = await start(t, '--auth off --base-path /api --log-level silent', 0)
  t.teardown(() => process.kill(-pid))
  const [, url, port] = /^url=(http:\/\/127\.0\.0\.1:(\d+))\n$/.exec(outputs) ?? []
  t.equal(code, 0)
  const { status } = await fetch(`${url}/api/controller/v4/v2/workgroups`)
  t.equal(status, 200, 'without a credential, under the other path')
  t.match(await start(t, '', Number(port)), { code: 1, output: 'in use', outputs: '' }, 'not the server before')
})

void t.test('it fails with the error of a server that cannot start', async (t) => {
  const { code, output, outputs } = await start(t, '--colour blue', await freePort(t))
  t.strictSame([code, outputs], [1, ''])
  t.match(output, '--colour')
})
