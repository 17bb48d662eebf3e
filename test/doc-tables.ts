import { BACKUP, BACKUP_STATES, RESTORE_STATES } from '../src/resources/backups/lifecycle.js'
import {
  DEFAULT_REGION, DEFAULT_TYPE, DEFAULT_VERSION, REGIONS, SVC_VERSIONS, WORKSPACE_TYPES
} from '../src/resources/metadata/catalogue.js'
import { REFRESH, REFRESH_STATES, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from '../src/resources/workspaces/lifecycle.js'
import { QUOTAS } from '../src/sandboxes/quotas.js'
import type { Transition } from '../src/sim/state-machine.js'

// The tables of docs/placeholders.md that are made from the data of the code.

const TRANSITIONS: readonly Transition[] = [...Object.values(WORKSPACE_TRANSITIONS), REFRESH, BACKUP]

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const code = (text: string | number) => `\`${text}\``

function statesTable(states: Readonly<Record<string, string>>): string {
  return table(['state', 'meaning'], Object.entries(states).map(([state, meaning]) => [code(state), meaning]))
}

export const workspaceStatesTable = () => statesTable(WORKSPACE_STATES)
export const refreshStatesTable = () => statesTable(REFRESH_STATES)
export const backupStatesTable = () => statesTable(BACKUP_STATES)
export const restoreStatesTable = () => statesTable(RESTORE_STATES)

/** Every transition, with the milliseconds it takes in words. */
export function transitionsTable(): string {
  const list = (states: readonly string[], none: string) => (states.length === 0 ? none : states.map(code).join(', '))
  return table(
    ['name', 'trigger', 'from', 'already', 'through', 'to', 'on failure', 'instant', 'fast', 'realistic'],
    TRANSITIONS.map(({ name, trigger, from, already, through, to, failsTo, duration }) => [
      code(name), trigger, list(from, 'none'), list(already, ''), code(through), list(to, 'gone'), code(failsTo),
      inWords(duration.instant), inWords(duration.fast), inWords(duration.realistic)
    ])
  )
}

function inWords(milliseconds: number): string {
  if (milliseconds === 0) return '0'
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} min` : `${milliseconds / 1000} s`
}

export function regionsTable(): string {
  return table(['name', 'description'], REGIONS.map(({ name, description }) => [marked(name, DEFAULT_REGION), description]))
}

export function versionsTable(): string {
  return table(['name', 'image'], SVC_VERSIONS.map(({ name, image }) => [marked(name, DEFAULT_VERSION), code(image)]))
}

export function typesTable(): string {
  return table(['typeName', 'cpu', 'memory', 'partition', 'ha'], WORKSPACE_TYPES.map(({ typeName, cpu, memory, partition, ha }) =>
    [marked(typeName, DEFAULT_TYPE), cpu, memory, String(partition), String(ha)]))
}

const marked = (name: string, byDefault: string) => (name === byDefault ? `${code(name)} (default)` : code(name))

export const quotasList = () => QUOTAS.map((name) => `- ${code(name)}`).join('\n')
