import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { callCommand, COMMANDS } from '../../src/cli/commands.js'
import { UsageError } from '../../src/cli/usage.js'
import { captured } from '../helper.js'
import { findProgram } from '../programs.js'

const complete = async (t: Test, ...args: readonly string[]) =>
  (await captured(t, () => callCommand('complete', [...args]))).out.split('\n')

/** The completions of a command line; `:0` stands for files, and `:4` for no files. */
const wordsAfter = async (t: Test, words: readonly string[]): Promise<string[]> =>
  (await complete(t, '--', ...words)).map((line) => line.split('\t')[0]!)

void t.test('commands, their options and the values of options are completed', async (t) => {
  t.strictSame(await wordsAfter(t, ['']), [...Object.keys(COMMANDS), ':4'])
  for (const [typed, words] of [
    ['c', 'ctl conform compact complete :4'],
    ['ctl clock ', 'set advance :4'],
    ['ctl clock advance --u', '--until --url :4'],
    ['serve --demo --auth s', 'strict :4'],
    ['run --v', '--virtual-time :4'],
    ['run --clock p', 'poll :4'],
    ['openapi --c', '--control :4'],
    ['profile ', 'show list check learn :4'],
    ['profile learn --o', '--openapi --out :4'],
    ['recording ', 'info steps state diff find fork har :4'],
    ['recording diff --', '--from --to --json --profile :4'],
    ['wait --t', '--timeout :4'],
    ['complete ', 'bash zsh fish :4'],
    ['serve --port ', ':4'],
    ['profile learn --name ', ':4'],
    ['ctl seed --ke', '--key :4'],
    ['ctl reset ', ':4']
  ] as const)
    t.strictSame(await wordsAfter(t, typed.split(' ')), words.split(' '), typed)
})

void t.test('the shell completes files', async (t) => {
  for (const typed of [
    'serve --seed-file se',
    'serve --profile ',
    'run -- p',
    'profile check p',
    'learn ',
    'learn a.har --force ',
    'learn a.har --out ',
    'recording state r',
    'show a.svcmock b',
    'compact --db ',
    'ctl seed ',
    'ctl state export st'
  ])
    t.strictSame(await wordsAfter(t, typed.split(' ')), [':0'], typed)
})

for (const shell of ['bash', 'zsh', 'fish']) {
  void t.test(`the script for ${shell} calls svc-mock`, async (t) => {
    const script = (await complete(t, shell)).join('\n')
    t.match(script, 'svc-mock complete --')
    if (findProgram(shell) === undefined) t.comment(`${shell} is not here to read it`)
    else {
      // A shell may read it again, with its other settings.
      const options = { input: `${script}\n${script}`, encoding: 'utf8' } as const
      t.match(spawnSync(shell, shell === 'bash' ? [] : ['-n'], options), { status: 0, stderr: '' })
    }
  })
}

void t.test(
  'bash passes on what is typed, and carries out none of it',
  { skip: findProgram('bash') === undefined },
  async (t) => {
    const script = (await complete(t, 'bash')).join('\n')
    const typed = `_get_comp_words_by_ref() { words=(svc-mock '>' /dev/null '$(echo no)' 'a b' c); cword=4; cur='a b'; }
    svc-mock() { printf '%s\t\n' "$@"; }
    __svc_mock_complete; printf '%s\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', { input: `${script}\n${typed}`, encoding: 'utf8' })
    t.equal(stdout, 'complete\n--\n>\n/dev/null\n$(echo no)\na b\n')
  }
)

void t.test('an unknown shell, none, or several are refused', async (t) => {
  for (const args of [[], ['powershell'], ['bash', 'zsh']])
    await t.rejects(callCommand('complete', args), UsageError, args.join(' '))
})
