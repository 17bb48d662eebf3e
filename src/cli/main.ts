import { didYouMean, nearest } from '../lib/nearest.js'
import { VERSION } from '../lib/version.js'
import { callCommand, COMMANDS } from './commands.js'
import { print, printError } from './print.js'
import { hasFlag, isOfUsage, UsageError } from './usage.js'

const HELP = `svc-mock ${VERSION}: a mock control plane for local development and tests

Usage: svc-mock <command> [options]

Commands:
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`)
  .join('\n')}

'svc-mock <command> --help' lists the options of a command.
Options: -h, --help, -v, --version

Examples:
  svc-mock serve
  svc-mock run -- npm test
  svc-mock wait --timeout 1m
  svc-mock ctl clock advance --by 1h30m --key demo
  svc-mock openapi > openapi.json`

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args
  if (hasFlag(args, '-v', '--version')) return succeed(VERSION)
  if (command === 'help' && rest.length > 0) return main([...rest, '--help'])
  if (command === '-h' || command === '--help' || command === 'help') return succeed(HELP)
  const names = Object.keys(COMMANDS)
  if (command === undefined) throw new UsageError(`name a command: ${names.join(', ')}`)
  if (command.startsWith('-'))
    throw new UsageError(`there is no option ${command}${didYouMean(nearest(command, ['--help', '--version']))}`)
  if (!Object.hasOwn(COMMANDS, command))
    throw new UsageError(`there is no command ${command}${didYouMean(nearest(command, names))}`)
  return callCommand(command, rest)
}

function succeed(text: string): number {
  print(text)
  return 0
}

// Exit codes: 0 success, 1 failure, 2 usage error; ctl has more.
async function exitCodeOf(args: string[]): Promise<number> {
  try {
    return await main(args)
  } catch (error) {
    const { message } = error as Error
    if (!isOfUsage(error)) {
      printError(`svc-mock: ${message}`)
      return 1
    }
    const [first = ''] = args
    const command = Object.hasOwn(COMMANDS, first) ? first : ''
    printError(`svc-mock: ${message} (see '${['svc-mock', command, '--help'].filter(Boolean).join(' ')}')`)
    return 2
  }
}

// A reader may stop early, as `head` does. After any other error, output has been lost.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  printError(`svc-mock: the standard output cannot be written (${code})`)
  process.exitCode = 1
})

// There is nowhere to report it, and no reason to exit.
process.stderr.on('error', () => undefined)

// Not a top-level await: modules that a command loads may import this one, and would wait for it forever.
void exitCodeOf(process.argv.slice(2)).then((code) => {
  process.exitCode ??= code
})
