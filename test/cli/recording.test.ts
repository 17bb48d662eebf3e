import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { callCommand } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { startMock, type StateDocument } from '../../src/node/index.js'
import { captured } from '../helper.js'
import { PLANTED, recordPlanted } from '../recording/planted.js'

/** Runs the command in this process. @returns what it printed, and its exit code; throws what it throws */
const run = (t: Test, ...args: readonly string[]) => captured(t, () => callCommand('recording', [...args]))

const json = async (t: Test, ...args: readonly string[]) => JSON.parse((await run(t, ...args)).out) as never

/** The lines that a command prints, each of which is JSON. */
const jsonLines = async <T>(t: Test, ...args: readonly string[]) =>
  (await run(t, ...args)).out.split('\n').map((line) => JSON.parse(line) as T)

/** A run in which a workspace fails to resume. */
const { path: file, id } = await recordPlanted(t, 1)

void t.test('the help of fork names the variables that it reads', async (t) => {
  const { out } = await run(t, '--help')
  for (const variable of ['SVC_MOCK_URL', 'SVC_MOCK_TOKEN']) t.ok(out.includes(variable), variable)
})

void t.test('a mistake is found from the file alone', async (t) => {
  const info: Record<string, unknown> = await json(t, 'info', file, '--json')
  t.match(info, { profile: 'built-in', options: { seed: 1 }, complete: true })
  t.match((await run(t, 'info', file)).out, /^steps +\d+$/m)

  const failed = `length(timeline[?reason=='${PLANTED}']) > \`0\``
  const found: { step: number; kind: string; id: string } = await json(t, 'find', file, failed, '--json')
  t.match(found, { kind: 'event', event: { kind: 'workspace.resume' } })
  t.match((await run(t, 'find', file, failed)).out, /^ +\d+ {2}2026-01-01T00:\S+ .* event workspace\.resume of /)
  const { step } = found
  const diff = ['diff', file, '--from', `${step - 1}`, '--to', `${step}`]
  const differences: { path: string }[] = await json(t, ...diff, '--json')
  t.ok(differences.some(({ path }) => /^workgroups\[[^\]]+\]\.workspaces\[[^\]]+\]\.status$/.test(path)))
  t.match((await run(t, ...diff)).out, /^~ workgroups\[.*\]\.workspaces\[.*\]\.status: "\w+" -> "\w+"$/m)

  const lines = (await run(t, 'steps', file)).out.split('\n')
  t.equal(lines.length, info['steps'])
  t.ok(lines[step - 1]!.includes('event workspace.resume'))
  const steps = await jsonLines<{ id: string; kind: string; operation?: string }>(t, 'steps', file, '--json')
  // The request that began it, and what it has left.
  const resume = steps.find(({ id, kind }) => id === found.id && kind === 'request')!
  t.equal(resume.operation, 'resumeWorkspace')
  const afterRequest: StateDocument = await json(t, 'state', file, '--at', found.id)
  const resuming = afterRequest.workgroups![0]!.workspaces!.find((one) => one.id === id)
  t.match(resuming, { status: 'Resuming' })
  t.strictSame(((await json(t, 'state', file, '--at', '0')) as { workgroups: unknown[] }).workgroups, [])
  t.match(await json(t, 'har', file), { log: { version: '1.2', entries: { length: 26 } } })
})

void t.test('a condition that never holds is told by the exit code', async (t) => {
  t.match(await run(t, 'find', file, 'length(workgroups) > `5`'), { out: '', code: 1 })
  t.match(await json(t, 'find', file, 'workgroups', '--json'), { kind: 'change' })
  t.match(await json(t, 'find', file, 'clock', '--json'), { step: 0 })
})

void t.test('a moment becomes a live sandbox', async (t) => {
  await using other = await startMock()
  const steps = await jsonLines<{ step: number; operation?: string }>(t, 'steps', file, '--json')
  const at = steps.findLast(({ operation }) => operation === 'createWorkspace')!.step
  t.equal((await run(t, 'fork', file, '--at', `${at}`, '--key', 'again', '--url', other.url)).code, 0)
  const state = (await other.sandbox('again').state.read()) as unknown
  const recorded: { workgroups: unknown } = await json(t, 'state', file, '--at', `${at}`)
  t.match(state, { workgroups: recorded.workgroups })
})

void t.test('a wrong command line is refused', async (t) => {
  for (const args of [
    [],
    ['stat'],
    ['state'],
    ['state', file],
    ['state', file, '--at', ''],
    ['state', file, '--key', 'a'],
    ['state', file, file, '--at', '1'],
    ['find', file],
    ['find', file, '[?'],
    ['find', file, 'abs(org.name)'],
    ['fork', file, '--at', '1']
  ])
    await t.rejects(run(t, ...args), UsageError, args.join(' '))
})

void t.test('a file or a moment that is not there is named', async (t) => {
  const text = join(dirname(file), 'a.txt')
  writeFileSync(text, 'dear diary')
  for (const args of [
    ['info', text],
    ['info', `${text}.none`],
    ['state', file, '--at', '9999'],
    ['state', file, '--at', 'no-such-request']
  ]) {
    const error = (await run(t, ...args).catch((error: unknown) => error)) as Error
    t.notOk(error instanceof UsageError)
    t.ok(error.message.startsWith(args[1]!), error.message)
  }
})
