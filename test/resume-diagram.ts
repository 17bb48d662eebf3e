import { WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from '../src/resources/workspaces/lifecycle.js'
import { inWords } from './doc-tables.js'

const {
  name,
  from,
  noopFrom,
  during,
  to,
  failsTo,
  duration: { fast, realistic }
} = WORKSPACE_TRANSITIONS.resume

const or = (states: readonly string[]) => states.join(', ').replace(/, (\w+)$/, ' or $1')

/** How a transition goes, from the request that begins it to the read that shows its end, in Mermaid. */
export function resumeDiagram(): string {
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
