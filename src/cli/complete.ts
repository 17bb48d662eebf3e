import tab, { type Command } from '@bomb.sh/tab'
import { didYouMean, nearest } from '../lib/nearest.js'
import { OPENAPI_OPTIONS, OPTIONS } from '../options.js'
import { CONFORM_FLAGS } from './conform-flags.js'
import { CONTROL_COMMANDS } from './ctl-commands.js'
import { commandIn, nameOf } from './ctl-find.js'
import { COMMON_FLAGS } from './ctl-help.js'
import { EXPLORE_FLAGS } from './explore-arguments.js'
import { LEARN_OPTIONS } from './learn-options.js'
import { MCP_FLAGS } from './mcp-arguments.js'
import { print } from './print.js'
import { JSON_HELP, PROFILE_COMMANDS } from './profile.js'
import { RECORD_FLAGS } from './record-flags.js'
import { RECORDING_COMMANDS, RECORDING_FLAGS, type RecordingCommand } from './recording-commands.js'
import { RUN_FLAGS } from './run-arguments.js'
import { SHOW_FLAGS } from './show-flags.js'
import { asksForHelp, UsageError } from './usage.js'

const SHELLS = ['bash', 'zsh', 'fish']

const HELP = `Usage: svc-mock complete ${SHELLS.join('|')}

Prints a script that makes the Tab key complete commands and options in this
shell. It calls svc-mock, which must be found in the PATH; in bash, it needs the
package bash-completion.

Examples:
  source <(svc-mock complete bash)
  svc-mock complete zsh > ~/.svc-mock.zsh && echo 'source ~/.svc-mock.zsh' >> ~/.zshrc
  svc-mock complete fish > ~/.config/fish/completions/svc-mock.fish`

/** What the shell completes by itself. */
const FILE = 'FILE'
/** Tells the script to complete files. */
const COMPLETE_FILES = ':0'

/**
 * Prints the script of a shell; after `--`, which only the script says, the completions of a command line.
 * @param summaries what the commands do, by name
 * @returns the exit code
 */
export async function completeCommand(
  args: readonly string[],
  summaries: Readonly<Record<string, string>>
): Promise<number> {
  const [shell = '', ...words] = args
  if (asksForHelp(args)) {
    print(HELP)
  } else if (shell === '--') {
    describe(summaries)
    if (takesFile(words)) print(COMPLETE_FILES)
    else tab.parse(words)
  } else if (!SHELLS.includes(shell)) {
    const problem = shell === '' ? 'name a shell' : `there is no completion for ${shell}`
    throw new UsageError(`${problem}: ${SHELLS.join(', ')}${didYouMean(nearest(shell, SHELLS))}`)
  } else if (words.length > 0) {
    throw new UsageError(`complete takes one shell, not ${args.join(' ')}`)
  } else {
    tab.setup('svc-mock', 'svc-mock', shell)
    // Without it, bash completes no files.
    if (shell === 'bash') print('complete -o default -F __svc_mock_complete svc-mock')
  }
  return 0
}

/** Describes all commands and options. */
function describe(summaries: Readonly<Record<string, string>>): void {
  const commands = new Map(Object.entries(summaries).map(([name, help]) => [name, tab.command(name, help)]))
  const fromOptions = (name: string, options: readonly (keyof typeof OPTIONS)[]) => {
    for (const option of options) {
      const { flag, help, placeholder }: { flag: string; help: string; placeholder?: string } = OPTIONS[option]
      add(commands.get(name)!, flag.slice(2), help, placeholder)
    }
  }
  fromOptions('serve', Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
  fromOptions('run', Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
  for (const [name, { value, help }] of Object.entries(RUN_FLAGS)) add(commands.get('run')!, name, help, value)
  fromOptions('explore', Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
  for (const [name, { value, help }] of Object.entries(EXPLORE_FLAGS)) add(commands.get('explore')!, name, help, value)
  for (const [name, { value, help }] of Object.entries(CONFORM_FLAGS)) add(commands.get('conform')!, name, help, value)
  for (const [name, { value, help }] of Object.entries(RECORD_FLAGS)) add(commands.get('record')!, name, help, value)
  for (const [name, { value, help }] of Object.entries(SHOW_FLAGS)) add(commands.get('show')!, name, help, value)
  fromOptions('mcp', Object.keys(OPTIONS) as (keyof typeof OPTIONS)[])
  for (const [name, { value, help }] of Object.entries(MCP_FLAGS)) add(commands.get('mcp')!, name, help, value)
  fromOptions('openapi', OPENAPI_OPTIONS)
  fromOptions('compact', ['db'])
  add(commands.get('openapi')!, 'control', 'Print the document of the control API instead.')
  add(commands.get('wait')!, 'url', COMMON_FLAGS['url']!.help, 'URL')
  add(commands.get('wait')!, 'timeout', 'How long to wait.', 'DURATION')
  for (const shell of SHELLS) tab.command(`complete ${shell}`, `Print the script for ${shell}.`)
  for (const [name, help] of Object.entries(PROFILE_COMMANDS)) {
    const described = tab.command(`profile ${name}`, help)
    if (name === 'show') add(described, 'json', JSON_HELP)
    if (name === 'learn') addLearnOptions(described)
  }
  addLearnOptions(commands.get('learn')!)
  for (const [name, help] of Object.entries(RECORDING_COMMANDS)) {
    const described = tab.command(`recording ${name}`, help)
    for (const [option, { help, placeholder, of }] of Object.entries(RECORDING_FLAGS))
      if (of.includes(name as RecordingCommand)) add(described, option, help, placeholder)
  }
  for (const command of CONTROL_COMMANDS) {
    const described = tab.command(['ctl', ...nameOf(command)].join(' '), command.help)
    for (const [name, { value, help }] of Object.entries({ ...command.flags, ...COMMON_FLAGS }))
      add(described, name, help, value)
  }
  for (const command of commands.values()) add(command, 'help', 'Show the help of the command.')
}

function addLearnOptions(command: Command): void {
  for (const [option, { help, placeholder }] of Object.entries(LEARN_OPTIONS)) add(command, option, help, placeholder)
}

/** @param placeholder stands for its value, or lists all valid ones, as `any|strict` does; absent: a switch */
function add(command: Command, name: string, help: string, placeholder?: string): void {
  if (placeholder === undefined) command.option(name, help, '')
  else
    command.option(name, help, (complete) => {
      if (/^[a-z]+(?:\|[a-z]+)+$/.test(placeholder)) for (const word of placeholder.split('|')) complete(word, '')
    })
}

/** Whether the last word of a command line is a file. */
function takesFile(words: readonly string[]): boolean {
  const [command, ...rest] = words.slice(0, -1)
  if ((command === 'run' || command === 'explore') && rest.includes('--')) return true
  const flag = rest.at(-1)
  if (command === 'learn' || (command === 'profile' && rest[0] === 'learn'))
    return flag?.startsWith('--') === true && flag !== '--force'
      ? LEARN_OPTIONS[flag.slice(2)]?.placeholder === FILE
      : words.at(-1)?.startsWith('-') !== true
  if (command === 'record') return RECORD_FLAGS[flag?.slice(2) ?? '']?.value === FILE
  if (command === 'recording')
    return flag?.startsWith('--') === true
      ? RECORDING_FLAGS[flag.slice(2)]?.placeholder === FILE
      : words.at(-1)?.startsWith('-') !== true && rest.length === 1
  if (command === 'conform')
    return flag?.startsWith('--') === true
      ? CONFORM_FLAGS[flag.slice(2)]?.value === FILE || flag.includes('=')
      : words.at(-1)?.startsWith('-') !== true
  if (command === 'show')
    return flag?.startsWith('--') === true
      ? SHOW_FLAGS[flag.slice(2)]?.value === FILE || flag.includes('=')
      : words.at(-1)?.startsWith('-') !== true
  if (flag?.startsWith('--') === true) {
    const options: readonly { flag: string; placeholder?: string }[] = Object.values(OPTIONS)
    return command !== 'ctl' && options.some((option) => option.flag === flag && option.placeholder === FILE)
  }
  if (command === 'profile') return words.at(-1)?.startsWith('-') !== true && rest.length === 1 && rest[0] === 'check'
  if (command !== 'ctl' || words.at(-1)?.startsWith('-') === true) return false
  const called = commandIn(rest)
  return called?.usage.replaceAll(/[[\]]/g, '').split(' ')[rest.length] === FILE
}
