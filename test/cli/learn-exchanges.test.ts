import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { learnCommand } from '../../src/cli/learn.js'
import { UsageError } from '../../src/cli/usage.js'
import { PERTURBATIONS } from '../fidelity/perturbations.js'
import { archiveOf, playService } from '../fidelity/real-service.js'
import { captured } from '../helper.js'

const learn = (t: Test, ...args: readonly string[]) => captured(t, () => learnCommand([...args]))

/** Two archives of one service, the second a continuation of the first. */
async function archives(t: Test): Promise<string[]> {
  const exchanges = await playService({ seed: 1, perturb: PERTURBATIONS['other messages'] })
  const folder = t.testdir({})
  return [exchanges.slice(0, 100), exchanges.slice(100)].map((part, index) => {
    const file = join(folder, `${index}.har`)
    writeFileSync(file, archiveOf(part))
    return file
  })
}

void t.test('a profile is learned from several files, and counts what was seen', async (t) => {
  const files = await archives(t)
  const { out, errors } = await learn(t, ...files.toReversed(), '--name', 'seen')
  t.strictSame(parse(out), {
    profile: 1,
    name: 'seen',
    messages: { pauseWorkspace: 'Pausing.', createWorkgroup: 'Created.' }
  })
  t.match(out, /^ *# Seen \d+ times\.\n *pauseWorkspace: Pausing\.$/m)
  const heads = errors.split('\n').map((line) => line.split(' ')[0])
  t.strictSame(heads, ['compared', 'left', 'unclear'])
  const file = join(t.testdirName, 'profile.yaml')
  t.strictSame(await learn(t, ...files, '--name', 'seen', '--out', file), { code: 0, out: '', errors })
  t.equal(readFileSync(file, 'utf8'), `${out}\n`)
})

void t.test('a file without anything to learn is named', async (t) => {
  const entry = {
    startedDateTime: '2026-01-31T09:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'https://pets.example.test/pets', headers: [] },
    response: { status: 200, headers: [], content: { text: '[]' } }
  }
  const folder = t.testdir({
    'empty.har': JSON.stringify({ log: { entries: [] } }),
    'pets.har': JSON.stringify({ log: { entries: [entry] } }),
    'notes.txt': 'dear diary'
  })
  for (const name of ['notes.txt', 'none.har'])
    t.match(await learn(t, join(folder, name)), { code: 2, errors: join(folder, name) }, name)
  for (const name of ['empty.har', 'pets.har']) {
    const file = join(folder, name)
    const error = (await learn(t, file).catch((error: unknown) => error)) as Error
    t.notOk(error instanceof UsageError)
    t.ok(error.message.startsWith(file), error.message)
  }
})
