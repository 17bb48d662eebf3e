import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { callCommand } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { otherEditionFile } from '../fidelity/learn/documents.js'
import { captured } from '../helper.js'

const DOCUMENT = otherEditionFile(t)

const learn = (t: Test, ...args: readonly string[]) => captured(t, () => callCommand('profile', ['learn', ...args]))

void t.test('a profile is printed or written, with a summary on standard error', async (t) => {
  const file = join(t.testdir({}), 'profile.yaml')
  const { out, errors } = await learn(t, '--openapi', DOCUMENT)
  t.match(parse(out), { profile: 1, name: 'acme-control-plane' })
  const counts = errors.split('\n').map((line) => /^\w+ +\d+/.exec(line)?.[0].replace(/ +/, ' '))
  t.strictSame(counts, ['matched 38', 'renamed 36', 'added 50', 'stubbed 15', 'unclear 6'])
  t.strictSame(await learn(t, '--openapi', DOCUMENT, '--out', file), { code: 0, out: '', errors })
  t.equal(readFileSync(file, 'utf8'), `${out}\n`)
  await t.rejects(learn(t, '--openapi', DOCUMENT, '--out', file), {
    message: `${file} exists; --force overwrites it`
  })
  t.equal((await learn(t, '--openapi', DOCUMENT, '--out', file, '--force')).errors, errors)
})

void t.test('a usage error is reported before anything is read', async (t) => {
  const folder = t.testdir({})
  for (const args of [
    [],
    ['--openapi', ''],
    ['--openapi', 'none.yaml', '--out', ''],
    ['--openapi', 'none.yaml', '--force'],
    ['--openapi', DOCUMENT, '--out', join(folder, 'none', 'profile.yaml')],
    ['--openapi', DOCUMENT, '--out', relative('', DOCUMENT), '--force'],
    ['--openapi', DOCUMENT, '--name', ''],
    ['none.har', '']
  ])
    await t.rejects(learn(t, ...args), UsageError, args.join(' '))
})

void t.test('a file without anything to learn is named', async (t) => {
  const folder = t.testdir({
    'pets.json': '{"openapi": "3.0.0", "paths": {"/pets/{id}": {"get": {}}}}',
    'notes.txt': 'dear diary',
    'broken.yaml': 'paths: ['
  })
  for (const [name, reason] of [
    ['pets.json', 'has no operation in common'],
    ['notes.txt', 'is not an OpenAPI document'],
    ['broken.yaml', 'is neither JSON nor YAML'],
    ['none.yaml', 'does not exist'],
    ['.', 'is a directory']
  ] as const) {
    const file = join(folder, name)
    const error = (await learn(t, '--openapi', file).catch((error: unknown) => error)) as Error
    t.notOk(error instanceof UsageError)
    t.ok(error.message.startsWith(`${file} ${reason}`), error.message)
  }
})
