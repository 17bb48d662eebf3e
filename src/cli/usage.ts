/** The command line is wrong. The message is one line for the user. */
export class UsageError extends Error {}

/** Whether a command line has one of the flags, such as `--help` and `-h`. What follows `--` is none. */
export function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some((arg) => flags.includes(arg))
}

/** Whether a command line asks for help. */
export function asksForHelp(args: readonly string[]): boolean {
  return hasFlag(args, '-h', '--help')
}
