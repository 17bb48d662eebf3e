import type { TObject } from '@sinclair/typebox'
import { CALLS } from '../src/test-control/calls.js'
import type { ControlCall } from '../src/test-control/control-call.js'
import { read } from './doc-parts.js'

// The tables of calls in docs/test-control.md. Their markers select calls: `calls /clock` by path, `calls sleep` by
// name, and `calls rest` the others.

const FILE = 'docs/test-control.md'
const MARKER = /<!-- (calls [^:]+):begin -->/g
const REST = 'calls rest'

/** Methods in addition to those of the calls. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  setClock: ['clock.freeze(now)', 'clock.resume()'],
  readRecording: ['recording()', "record('on-failure', t)"],
  readCoverage: ['coverage.junit()'],
  forkSandbox: ['fork({ from, ttl })'],
  removeSandbox: ['remove()']
}

const FURTHER_COMMANDS: Readonly<Record<string, string>> = {
  removeFault: 'fault clear [ID]',
  streamEvents: 'requests --follow'
}

/** Larger objects are not shown by their fields. */
const MOST_FIELDS = 6

export const CALL_MARKERS: readonly string[] = [...read(FILE).matchAll(MARKER)].map(([, marker]) => marker!)

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

/** The marker for a call: its name, or else the longest prefix of its path. */
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
