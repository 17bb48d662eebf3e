import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { callCommand } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { BUILT_IN, toProfileDocument } from '../../src/profile/profile.js'
import { STATES } from '../../src/resources/states.js'
import { captured } from '../helper.js'

/** Runs the command. @returns what it prints */
async function printed(t: Test, ...args: string[]): Promise<string> {
  const { code, out } = await captured(t, () => callCommand('profile', args))
  t.equal(code, 0)
  return out
}

void t.test('the built-in assumptions are printed as a profile', async (t) => {
  const document = JSON.parse(JSON.stringify(toProfileDocument(BUILT_IN, STATES))) as unknown
  const yaml = await printed(t, 'show')
  t.strictSame(parse(yaml), document)
  t.strictSame(JSON.parse(await printed(t, 'show', '--json')), document)
  const directory = t.testdir({ 'a.yaml': yaml })
  const path = join(directory, 'a.yaml')
  t.equal(await printed(t, 'check', path), `The profile built-in in ${path} is valid.`)
})

void t.test('the profiles that come with svc-mock are listed, and are valid', async (t) => {
  const names = (await printed(t, 'list')).split('\n').map((line) => line.split(' ')[0]!)
  t.strictSame(names, ['conventional', 'observed'])
  for (const name of names) t.equal(await printed(t, 'check', name), `The profile ${name} in ${name} is valid.`)
})

void t.test('all errors in a profile are listed', async (t) => {
  const directory = t.testdir({
    'a.yaml': `profile: 1
nme: x
durations: { workspace.resume: nope, workspace.pauze: 1s, workspace.pause: { min: 2s, max: 1s } }
states: { workspace: { Activ: Up } }
errors: { notFond: { status: 410 } }
limits: [{ requests: 0, window: abc }]
stubs: [{ method: GET, path: /_mock/x, status: 200 }]
`
  })
  const { code, errors } = await captured(t, () => callCommand('profile', ['check', join(directory, 'a.yaml')]))
  t.equal(code, 1)
  const [head, ...lines] = errors.split('\n')
  t.match(head, /^svc-mock: the profile .*a\.yaml is not valid:$/)
  const fields = lines.map((line) => /^ {2}(\S+) \(line \d+, column \d+\) \S/.exec(line)?.[1])
  t.strictSame(fields.sort(), [
    'durations.workspace.pause.max',
    'durations.workspace.pauze',
    'durations.workspace.resume',
    'errors.notFond',
    'limits.0.requests',
    'limits.0.window',
    'nme',
    'states.workspace.Activ',
    'stubs.0.path'
  ])
})

void t.test('an unreadable profile fails, and a wrong command line is a usage error', async (t) => {
  await t.rejects(callCommand('profile', ['check', join(t.testdir({}), 'none.yaml')]), { name: 'ProfileError' })
  for (const [args, message] of [
    [[], 'name a command of profile'],
    [['chekc'], 'there is no command profile chekc; did you mean check?'],
    [['show', 'a'], 'usage: profile show'],
    [['show', '--jsno'], 'there is no option --jsno; did you mean --json?'],
    [['check'], 'usage: profile check FILE'],
    [['check', ''], 'usage: profile check FILE'],
    [['check', 'a', 'b'], 'usage: profile check FILE'],
    [['check', 'a', '--json'], 'profile check has no option --json'],
    [['--out', 'a.yaml', 'learn', 'b.yaml'], 'name learn before its options: profile learn FILE…']
  ] as const)
    await t.rejects(callCommand('profile', [...args]), new UsageError(message), args.join(' '))
  t.match(await printed(t, '--help'), /svc-mock profile check FILE/)
})
