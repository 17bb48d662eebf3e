import tab from '@bomb.sh/tab'
import { didYouMean, nearest } from '../lib/nearest.js'
import { calledBy, type Command, commandNameOf, type Flag, type Flags, serverFlags, wordsIn } from './command.js'
import { print } from './print.js'
import { UsageError } from './usage.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const COMPLETE: Command = {
  usage: [`complete ${SHELLS.join('|')}`],
  about: `Prints a script with which the Tab key completes commands and options in a shell.
The script calls svc-mock, which must be in the PATH; in bash, it needs the package
bash-completion.`,
  subcommands: SHELLS.map((shell) => ({ usage: shell, help: `Print the script for ${shell}.` })),
  notes: `Use it like this:
  source <(svc-mock complete bash)
  svc-mock complete zsh > ~/.svc-mock.zsh && echo 'source ~/.svc-mock.zsh' >> ~/.zshrc
  svc-mock complete fish > ~/.config/fish/completions/svc-mock.fish`
}

type Listed = Readonly<Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>>

/** Tells the script to let the shell complete files. */
const COMPLETE_FILES = ':0'

/** That of the library would carry out what is typed, such as a redirection to a file. */
const FOR_BASH = `__svc_mock_complete() {
  local cur prev words cword line
  _get_comp_words_by_ref -n =: cur prev words cword
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    case $line in
      ${COMPLETE_FILES}) ;;
      :*) compopt +o default ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(svc-mock complete -- "\${words[@]:1:cword}" 2> /dev/null)
}
complete -o default -F __svc_mock_complete svc-mock`

/** Prints a completion script; after `--`, which the script passes, the completions of a command line. */
export async function completeCommand(args: readonly string[], listed: Listed): Promise<number> {
  const [shell = '', ...words] = args
  if (shell === '--') {
    const commands = new Map<string, Command>()
    for (const [name, { load }] of Object.entries(listed)) commands.set(name, await load())
    describe(commands, listed)
    if (takesFile(commands, words)) print(COMPLETE_FILES)
    else tab.parse(words)
  } else if (!SHELLS.some((one) => one === shell)) {
    const problem = shell === '' ? 'name a shell' : `there is no completion for ${shell}`
    throw new UsageError(`${problem}: ${SHELLS.join(', ')}${didYouMean(nearest(shell, SHELLS))}`)
  } else if (words.length > 0) {
    throw new UsageError(`complete takes one shell, not ${args.join(' ')}`)
  } else if (shell === 'bash') {
    print(FOR_BASH)
  } else {
    tab.setup('svc-mock', 'svc-mock', shell)
  }
  return 0
}

const flagsOf = ({ flags = {}, server }: Command): Flags => ({ ...serverFlags(server?.options ?? []), ...flags })

function describe(commands: ReadonlyMap<string, Command>, listed: Listed): void {
  const help: Flag = { help: 'Show the help of the command.' }
  for (const [name, command] of commands) {
    const described = tab.command(name, listed[name]!.summary)
    for (const [flag, one] of Object.entries({ ...flagsOf(command), help })) add(described, flag, one)
    for (const one of command.subcommands ?? []) {
      const own = tab.command([name, ...commandNameOf(one)].join(' '), one.help)
      for (const [flag, each] of Object.entries({ ...one.flags, ...command.flags })) add(own, flag, each)
    }
  }
}

function add(command: ReturnType<typeof tab.command>, name: string, { value, help }: Flag): void {
  if (value === undefined) command.option(name, help, '')
  else
    command.option(name, help, (complete) => {
      for (const word of wordsIn(value)) complete(word, '')
    })
}

/** Whether a placeholder stands for a file. */
const isFile = (argument = '') => argument.replaceAll(/[[\]…]/g, '') === 'FILE'

/** Whether the last word of a command line is a file. */
function takesFile(commands: ReadonlyMap<string, Command>, words: readonly string[]): boolean {
  const [name = '', ...rest] = words.slice(0, -1)
  const command = commands.get(name)
  if (command === undefined) return false
  if (command.usage.some((usage) => usage.includes(' -- ')) && rest.includes('--')) return true
  const { subcommands = [] } = command
  const called = calledBy(rest, subcommands)
  const flags = { ...flagsOf(command), ...called?.flags }
  const last = rest.at(-1) ?? ''
  if (last.startsWith('--') && !last.includes('=') && flags[last.slice(2)]?.value !== undefined)
    return isFile(flags[last.slice(2)]!.value)
  if (words.at(-1)?.startsWith('-') === true) return false
  if (called !== undefined) return isFile(called.usage.split(' ')[rest.length])
  return subcommands.length === 0 && command.usage.some((usage) => isFile(usage.split(' ')[1]))
}
