import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { callCommand } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { findProgram } from '../programs.js'

const COMMANDS = [
  'serve',
  'run',
  'explore',
  'mcp',
  'wait',
  'ctl',
  'profile',
  'learn',
  'record',
  'conform',
  'recording',
  'show',
  'openapi',
  'compact',
  'complete'
]

/** The lines that `svc-mock complete` prints. */
async function complete(t: Test, ...args: readonly string[]): Promise<string[]> {
  const out = t.capture(console, 'log')
  try {
    t.equal(await callCommand('complete', [...args]), 0)
    return out().flatMap(({ args: [text] }) => String(text).split('\n'))
  } finally {
    out.restore()
  }
}

/** The words that a command line could go on with; `:4` and `:0` say whether it can be a file. */
const wordsAfter = async (t: Test, ...words: readonly string[]): Promise<string[]> =>
  (await complete(t, '--', ...words)).map((line) => line.split('\t')[0]!)

void t.test('commands, their options and the words that these take are completed', async (t) => {
  t.strictSame(await wordsAfter(t, ''), [...COMMANDS, ':4'])
  t.strictSame(await wordsAfter(t, 'c'), ['ctl', 'conform', 'compact', 'complete', ':4'])
  t.strictSame(await wordsAfter(t, 'ctl', 'clock', ''), ['set', 'advance', ':4'])
  t.strictSame(await wordsAfter(t, 'ctl', 'clock', 'advance', '--u'), ['--until', '--url', ':4'])
  t.strictSame(await wordsAfter(t, 'ctl', 'workspaces', '--j'), ['--json', ':4'])
  t.strictSame(await wordsAfter(t, 'serve', '--demo', '--auth', 's'), ['strict', ':4'])
  t.strictSame(await wordsAfter(t, 'run', '--v'), ['--virtual-time', ':4'])
  t.strictSame(await wordsAfter(t, 'run', '--clock', 'p'), ['poll', ':4'])
  t.strictSame(await wordsAfter(t, 'openapi', '--c'), ['--control', ':4'])
  t.strictSame(await wordsAfter(t, 'profile', ''), ['show', 'list', 'check', 'learn', ':4'])
  t.strictSame(await wordsAfter(t, 'profile', 'show', '--j'), ['--json', ':4'])
  t.strictSame(await wordsAfter(t, 'profile', 'learn', '--o'), ['--openapi', '--out', ':4'])
  t.strictSame(await wordsAfter(t, 'learn', '--'), ['--openapi', '--name', '--out', '--force', '--help', ':4'])
  t.strictSame(await wordsAfter(t, 'recording', ''), ['info', 'steps', 'state', 'diff', 'find', 'fork', 'har', ':4'])
  t.strictSame(await wordsAfter(t, 'recording', 'diff', '--'), ['--from', '--to', '--json', '--profile', ':4'])
  t.strictSame(await wordsAfter(t, 'show', '--'), ['--port', '--html', '--from', '--profile', '--help', ':4'])
  t.strictSame(await wordsAfter(t, 'compact', '--d'), ['--db', ':4'])
  t.strictSame(await wordsAfter(t, 'wait', '--t'), ['--timeout', ':4'])
  t.strictSame(await wordsAfter(t, 'complete', ''), ['bash', 'zsh', 'fish', ':4'])
  t.strictSame(await wordsAfter(t, 'serve', '--port', ''), [':4'])
})

void t.test('where a file is meant, the shell completes it', async (t) => {
  t.strictSame(await wordsAfter(t, 'serve', '--seed-file', 'se'), [':0'])
  t.strictSame(await wordsAfter(t, 'serve', '--profile', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'run', '--seed-file', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'run', '--', 'p'), [':0'])
  t.strictSame(await wordsAfter(t, 'openapi', '--profile', 'p'), [':0'])
  t.strictSame(await wordsAfter(t, 'profile', 'check', 'p'), [':0'])
  t.strictSame(await wordsAfter(t, 'profile', 'learn', '--openapi', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'profile', 'learn', '--name', ''), [':4'])
  t.strictSame(await wordsAfter(t, 'learn', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'learn', 'a.har', '--force', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'learn', 'a.har', '--out', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'learn', 'a.har', '--name', ''), [':4'])
  t.strictSame(await wordsAfter(t, 'recording', 'state', 'r'), [':0'])
  t.strictSame(await wordsAfter(t, 'recording', 'state', 'a.svcmock', '--profile', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'recording', 'state', 'a.svcmock', '--at', ''), [':4'])
  t.strictSame(await wordsAfter(t, 'show', 'a.svcmock', 'b'), [':0'])
  t.strictSame(await wordsAfter(t, 'show', 'a.svcmock', '--html', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'show', 'a.svcmock', '--port', ''), [':4'])
  t.strictSame(await wordsAfter(t, 'compact', '--db', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'ctl', 'seed', ''), [':0'])
  t.strictSame(await wordsAfter(t, 'ctl', 'state', 'export', 'st'), [':0'])
  t.strictSame(await wordsAfter(t, 'ctl', 'seed', '--ke'), ['--key', ':4'])
  t.strictSame(await wordsAfter(t, 'ctl', 'reset', ''), [':4'])
})

for (const shell of ['bash', 'zsh', 'fish']) {
  void t.test(`the script for ${shell} calls svc-mock`, async (t) => {
    const script = (await complete(t, shell)).join('\n')
    t.match(script, 'svc-mock complete --')
    if (findProgram(shell) === undefined) t.comment(`${shell} is not here to read it`)
    else t.match(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' }), { status: 0, stderr: '' })
  })
}

void t.test('another shell, none, or more than one is refused', async (t) => {
  for (const args of [[], ['powershell'], ['bash', 'zsh']]) {
    const error = await callCommand('complete', [...args]).catch((error: unknown) => error)
    t.ok(error instanceof UsageError)
  }
})
