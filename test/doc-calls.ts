import type { TObject } from '@sinclair/typebox'
import { CALLS } from '../src/test-control/calls.js'
import type { ControlCall } from '../src/test-control/control-call.js'
import { read } from './doc-parts.js'

// The tables of calls in docs/test-control.md. A marker says which: `calls /clock` those below a path, `calls sleep`
// the one of that name, and `calls rest` those that no other marker names.

const FILE = 'docs/test-control.md'
const MARKER = /<!-- (calls [^:]+):begin -->/g
const REST = 'calls rest'

/** Methods that are more than one call, or another form of it. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  setClock: ['clock.freeze(now)', 'clock.resume()'],
  readRecording: ['recording()', "record('on-failure', t)"],
  readCoverage: ['coverage.junit()'],
  forkSandbox: ['fork({ from, ttl })'],
  removeSandbox: ['remove()']
}

/** Commands that make a call with another one. */
const FURTHER_COMMANDS: Readonly<Record<string, string>> = {
  removeFault: 'fault clear [ID]',
  streamEvents: 'requests --follow'
}

/** An object is shown by its fields if it has at most so many. */
const MOST_FIELDS = 6

/** The markers of the tables. */
export const CALL_MARKERS: readonly string[] = [...read(FILE).matchAll(MARKER)].map(([, marker]) => marker!)

/** The table of a marker. */
export function callsTable(marker: string): string {
  const isRest = marker === REST
  const rows = CALLS.filter((call) => markerOf(call) === marker).map((call) => {
    const method = [...methodsOf(call), ...(FURTHER[call.name] ?? [])].map((one) => `\`${one}\``).join(', ')
    const path = call.path.replaceAll(/:(\w+)/g, '{$1}')
    const cells = [`\`${call.method} /_mock${path}\``, method, commandsOf(call), ...(isRest ? [call.summary] : [])]
    return `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  })
  const titles = ['HTTP', 'Node', '`ctl`', ...(isRest ? ['what it does'] : [])]
  return [`\n| ${titles.join(' | ')} |`, `|${' --- |'.repeat(titles.length)}`, ...rows, ''].join('\n')
}

/** The marker that names a call: the longest beginning of its path, unless its name is there. */
function markerOf({ name, path }: ControlCall): string {
  const named = CALL_MARKERS.flatMap((marker) =>
    marker
      .split(' ')
      .slice(1)
      .filter((word) => word === name || path === word || path.startsWith(`${word}/`))
      .map((word) => [marker, word === name ? Infinity : word.length] as const)
  )
  return named.sort(([, a], [, b]) => b - a)[0]?.[0] ?? REST
}

function methodsOf({ params = {}, query, body, checksBody, program }: ControlCall): string[] {
  if (program === undefined) return []
  const { name, takes } = program
  const schema = (body ?? query) as TObject | undefined
  const fields = Object.keys(schema?.properties ?? {})
  const whole =
    checksBody === true ? ['document'] : fields.length > MOST_FIELDS ? ['rule'] : [`{ ${fields.join(', ')} }`]
  const given = schema === undefined ? [] : takes === undefined ? whole : [takes].flat()
  const own = name.startsWith('sandboxes.') ? `mock.${name}` : name
  return [`${own}(${[...Object.keys(params), ...given].join(', ')})`]
}

function commandsOf({ name, command }: ControlCall): string {
  const usage = command?.usage ?? FURTHER_COMMANDS[name]
  return usage === undefined ? '' : `\`${usage}\``
}
