import { sandboxIdOf } from '../lib/secrets.js'
import { type Color, harmless, paint } from './print.js'

/** A line of the log, as parsed from JSON. */
interface Entry {
  readonly level: number
  readonly time: number
  readonly msg: string
  readonly err?: { readonly stack?: string }
  // Of a request, see src/http/hooks/log-requests.ts
  readonly operationId?: string
  readonly method?: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly sandbox?: string
  readonly fault?: string
}

interface TerminalOptions {
  /** Path prefixes that lines of operations omit, longest first. */
  readonly prefixes: readonly string[]
  readonly hasColors: boolean
}

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' }

/** The log names a sandbox by the first digits of its key's hash. This key is not secret: the banner shows it. */
const DEMO_SANDBOX = sandboxIdOf('demo').slice(0, 12)

/** Returns a function that makes a line of the log (JSON) readable. */
export function terminalFormat({ prefixes, hasColors }: TerminalOptions): (line: string) => string {
  return (line) => {
    const entry = JSON.parse(line) as Entry
    const time = colored(new Date(entry.time).toTimeString().slice(0, 8), 'dim')
    return `${time} ${entry.method === undefined ? messageOf(entry) : requestOf(entry)}\n`
  }

  function messageOf({ level, msg, err }: Entry): string {
    const name = LEVELS[level]
    const prefix = name === undefined ? '' : `${colored(name, level === 40 ? 'yellow' : 'red')}: `
    return `${prefix}${harmless(msg)}${err?.stack === undefined ? '' : `\n${harmless(err.stack)}`}`
  }

  function requestOf({ operationId, method, path, status, ms, sandbox, fault }: Entry): string {
    // An unknown path is shown in full, because its prefix may be wrong.
    const prefix = operationId === undefined ? '' : (prefixes.find((start) => path.startsWith(`${start}/`)) ?? '')
    return [
      method,
      harmless(path.slice(prefix.length)),
      colored(String(status), status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'),
      ms < 1 ? '<1 ms' : `${Math.round(ms)} ms`,
      sandbox === DEMO_SANDBOX ? 'demo' : sandbox,
      fault
    ]
      .filter((part) => part !== undefined)
      .join(' ')
  }

  function colored(text: string, color: Color): string {
    return hasColors ? paint(text, color) : text
  }
}
