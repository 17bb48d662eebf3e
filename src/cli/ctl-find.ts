import { nearest } from '../lib/nearest.js'
import type { Subcommand } from './command.js'
import { CONTROL_COMMANDS, type ControlCommand } from './ctl-calls.js'
import { UsageError } from './usage.js'

/** The words of a command's name. */
export function commandNameOf({ usage }: Subcommand): string[] {
  return usage.split(' ').filter((word) => /^[a-z]/.test(word))
}

/** The command whose name starts the words, preferring the longest name. */
export function calledBy<T extends Subcommand>(words: readonly string[], commands: readonly T[]): T | undefined {
  return commands
    .filter((command) => commandNameOf(command).every((word, index) => words[index] === word))
    .sort((a, b) => commandNameOf(b).length - commandNameOf(a).length)[0]
}

export const commandIn = (words: readonly string[]) => calledBy(words, CONTROL_COMMANDS)

/** The commands whose names start with the words, such as all of `snapshot`. */
export function commandsUnder(words: readonly string[]): ControlCommand[] {
  return CONTROL_COMMANDS.filter((command) => words.every((word, index) => commandNameOf(command)[index] === word))
}

/** Finds the command that the words call, and its arguments. @throws {UsageError} if they call none, or wrongly */
export function findCommand(words: readonly string[]): { command: ControlCommand; rest: readonly string[] } {
  if (words.length === 0) throw new UsageError('name a command')
  const command = commandIn(words)
  if (command === undefined) throw unknownCommand(words)
  const parts = command.usage.split(' ')
  const name = commandNameOf(command)
  const rest = words.slice(name.length)
  const least = parts.filter((part) => /^[A-Z]/.test(part)).length
  const most = parts.length - name.length
  const empty = rest.findIndex((argument) => argument.trim() === '')
  if (empty >= 0 && rest.length <= most)
    throw new UsageError(`${parts[name.length + empty]!.replaceAll(/[[\]]/g, '')} must not be empty`)
  if (rest.length >= least && rest.length <= most) return { command, rest }
  // `clock` is a command, and so is `clock advance`: a misspelt second word looks like an argument.
  const [meant, ...others] = rest.length > most && name.length === 1 ? meantBy(words) : []
  const isMisspelt = meant !== undefined && others.length === 0 && meant !== name.join(' ')
  throw isMisspelt ? unknownCommand(words) : new UsageError(`it is used as: ctl ${command.usage}`)
}

/** The error for words that call no command. */
export function unknownCommand(words: readonly string[]): UsageError {
  const meant = meantBy(words).map((name) => `ctl ${name}`)
  const last = meant.pop()
  const list = meant.length === 0 ? last : `${meant.join(', ')} or ${last!}`
  const question = list === undefined ? '' : `; did you mean ${list}?`
  return new UsageError(`there is no command ctl ${words.slice(0, 2).join(' ')}${question}`)
}

/** The names of the commands that may be meant by words that call none. */
export function meantBy([first = '', second]: readonly string[]): string[] {
  const names = CONTROL_COMMANDS.map(commandNameOf)
  const group = same(
    first,
    names.map(([word]) => word!)
  )
  const candidates = group === undefined ? names : names.filter(([word]) => word === group)
  // Without a group, the first word may be the second one of a command: `advance` of `clock advance`.
  const other = group === undefined ? first : (second ?? '')
  const action = same(
    other,
    candidates.flatMap(([, word]) => word ?? [])
  )
  if (action === undefined && group === undefined) return []
  return candidates.filter(([, word]) => action === undefined || word === action).map((name) => name.join(' '))
}

/** The known word that one is, begins, or probably stands for. */
function same(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word
  const [begun, ...others] = word === '' ? [] : new Set(known.filter((name) => name.startsWith(word)))
  return nearest(word, known) ?? (others.length === 0 ? begun : undefined)
}

/** The command that a command line is about, as far as it can be told, for a look at its help. */
export function commandAbout(words: readonly string[]): string {
  const command = commandIn(words)
  const [group = ''] = words
  const name = command !== undefined ? commandNameOf(command) : commandsUnder([group]).length > 0 ? [group] : []
  return ['ctl', ...name].filter(Boolean).join(' ')
}
