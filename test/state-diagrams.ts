import { BACKUP, BACKUP_STATES, RESTORE_STATES } from '../src/resources/backups/lifecycle.js'
import {
  REFRESH,
  REFRESH_STATES,
  WORKSPACE_STATES,
  WORKSPACE_TRANSITIONS
} from '../src/resources/workspaces/lifecycle.js'
import type { StateTable, Transition } from '../src/sim/state-machine.js'
import { inWords } from './doc-tables.js'

// The lifecycles as Mermaid diagrams, generated from data in the code.

const OUTSIDE = '[*]'

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
}

/** A restore job has no transition of its own: it follows that of its workspace, after a third of the time. */
const RESTORE_JOB: readonly (Arrow & { readonly to: keyof typeof RESTORE_STATES })[] = [
  { from: OUTSIDE, to: 'Pending', label: 'restoreBackup' },
  { from: 'Pending', to: 'Running', label: 'a third of its time' },
  { from: 'Pending', to: 'Failed', label: 'interrupted' },
  { from: 'Running', to: 'Succeeded', label: 'restore.run' },
  { from: 'Running', to: 'Failed', label: 'restore.run fails, or is interrupted' }
]

export function stateDiagrams(): string {
  const { delete: remove, ...others } = WORKSPACE_TRANSITIONS
  return [
    'An arrow into a transient state names the transition that begins, an arrow out of it how that ends. ' +
      '[Assumptions](../assumptions.md#workspace-states) has the tables.',
    section('Workspace', 'The `status` of a workspace. It can be deleted in every state.', WORKSPACE_STATES, [
      ...Object.values(others).flatMap(arrowsOf),
      // Arrows from every state would hide the others.
      ...arrowsOf(remove).filter(({ from }) => from === remove.during)
    ]),
    section('Refresh', 'The `refresh_status` of a workspace that is Active.', REFRESH_STATES, [
      { from: OUTSIDE, to: '', label: '' },
      ...arrowsOf(REFRESH)
    ]),
    section('Backup', 'The `status` of a backup.', BACKUP_STATES, arrowsOf(BACKUP)),
    section('Restore job', 'The `status` of a restore job.', RESTORE_STATES, RESTORE_JOB),
    '## The life of one resume',
    'Nothing happens between two requests: what has become due runs first in the next one.',
    mermaid(resumeDiagram())
  ].join('\n\n')
}

function arrowsOf({ name, from, during, to, failsTo }: Transition): Arrow[] {
  const begins = from.length === 0 ? [OUTSIDE] : from
  const ends = to.length === 0 ? [OUTSIDE] : to
  return [
    ...begins.map((state) => ({ from: state, to: during, label: name })),
    ...ends.map((state) => ({ from: during, to: state, label: '' })),
    { from: during, to: failsTo, label: `${name} fails` }
  ]
}

function section(title: string, text: string, states: StateTable, arrows: readonly Arrow[]) {
  const named = arrows.flatMap(({ from, to }) => [from, to])
  const unknown = named.filter((state) => state !== OUTSIDE && !(state in states))
  if (unknown.length > 0) throw new Error(`${title} has no state ${unknown.join(', ')}`)
  const lines = arrows.map(
    ({ from, to, label }) => `  ${from || 'empty'} --> ${to || 'empty'}${label === '' ? '' : ` : ${label}`}`
  )
  return [`## ${title}`, text, mermaid(['stateDiagram-v2', ...new Set(lines)].join('\n'))].join('\n\n')
}

const mermaid = (diagram: string) => `\`\`\`mermaid\n${diagram}\n\`\`\``

/** A transition from the request that starts it to the read that shows its end, in Mermaid. */
function resumeDiagram(): string {
  const { name, from, noopFrom, during, to, failsTo, duration } = WORKSPACE_TRANSITIONS.resume
  const { fast, realistic } = duration
  const or = (states: readonly string[]) => states.join(', ').replace(/, (\w+)$/, ' or $1')
  const refused = Object.keys(WORKSPACE_STATES).filter(
    (state) => !([...from, ...noopFrom] as readonly string[]).includes(state)
  )
  return [
    'sequenceDiagram',
    '  participant client',
    '  participant HTTP',
    '  participant workspace',
    '  participant engine as clock and engine',
    '  client->>HTTP: POST …/resume',
    '  HTTP->>engine: run what is due',
    `  HTTP->>workspace: is it ${or(from)}?`,
    `  Note over workspace: ${or(noopFrom)}: 200, nothing changes<br>${or(refused)}: 400`,
    `  workspace->>workspace: status becomes ${during}`,
    `  workspace->>engine: ${name} is due in ${inWords(fast)} (fast) or ${inWords(realistic)} (realistic)`,
    '  HTTP-->>client: 200',
    '  client->>HTTP: GET',
    '  HTTP->>engine: run what is due: nothing',
    `  HTTP-->>client: 200, status ${during}`,
    '  Note over engine: the clock reaches that time,<br>or a test moves it there',
    '  client->>HTTP: GET',
    '  HTTP->>engine: run what is due',
    `  engine->>workspace: ${name}`,
    '  alt it succeeds',
    `    workspace->>workspace: status becomes ${or(to)}`,
    '  else a rule lets it fail',
    `    workspace->>workspace: status becomes ${failsTo}`,
    '  end',
    `  HTTP-->>client: 200, status ${or([...to, failsTo])}`
  ].join('\n')
}
