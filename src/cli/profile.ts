import { ProfileError } from '../lib/profile-error.js'
import { BUILT_IN, toProfileDocument } from '../profile/profile.js'
import { SHIPPED_PROFILES } from '../profile/shipped.js'
import { openProfile } from '../resources/open-profile.js'
import { STATES } from '../resources/states.js'
import { readSubcommand } from './command.js'
import { PROFILE_COMMANDS } from './commands/profile.js'
import { print, printError } from './print.js'
import { UsageError } from './usage.js'

const builtIn = () => toProfileDocument(BUILT_IN, STATES)

/** Lists profiles, shows the built-in one, checks one, or learns one. @returns the exit code */
export async function profileCommand(args: string[]): Promise<number> {
  // Loaded late, because it needs a server.
  if (args[0] === 'learn') return (await import('./learn.js')).learnCommand(args.slice(1))
  const { name: command, rest, values } = readSubcommand('profile', PROFILE_COMMANDS, args)
  if (command === 'learn') throw new UsageError('name learn before its options: profile learn FILE…')
  if (command === 'check') return check(rest[0]!)
  if (command === 'show')
    print(values['json'] === undefined ? await builtInAsYaml() : JSON.stringify(builtIn(), null, 2))
  else for (const [name, { about }] of Object.entries(SHIPPED_PROFILES)) print(`${name.padEnd(14)}${about}`)
  return 0
}

async function check(file: string): Promise<number> {
  try {
    const { name } = await openProfile(file)
    print(`The profile ${name} in ${file} is valid.`)
    return 0
  } catch (error) {
    if (!(error instanceof ProfileError) || error.problems.length === 0) throw error
    printError(`svc-mock: the profile ${file} is not valid:`)
    for (const problem of error.problems) printError(`  ${problem}`)
    return 1
  }
}

async function builtInAsYaml(): Promise<string> {
  const { Document } = await import('yaml')
  const document = new Document(builtIn())
  document.commentBefore = ' The built-in assumptions. A profile needs only what differs from them.'
  return document.toString({ lineWidth: 0 }).trimEnd()
}
