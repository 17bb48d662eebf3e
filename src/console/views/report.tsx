import type { Report } from '../api/types'
import { groupBy } from '../model/group-by'
import { useApp } from '../parts/app-context'
import { More } from '../parts/more'
import { RequestLinks } from '../parts/request-links'
import { useReading } from '../parts/use'

type Finding = Report['findings'][number]
type LeftBehind = Report['left_behind'][number]

/** Titles of the findings and of what was left behind. The compiler asks for every one of the server. */
const FINDINGS: Readonly<Record<Finding['rule'], string>> = {
  'polling-too-fast': 'Polls too fast',
  'no-back-off': 'Repeats without a pause',
  'retry-after-ignored': 'Ignores Retry-After',
  'error-ignored': 'Repeats what was refused',
  'transient-state-taken-for-end': 'Does not wait for the end',
  'ignored-input': 'Says what is ignored',
  'unknown-path': 'Calls a path that does not exist'
}
const LEFT: Readonly<Record<LeftBehind['kind'], string>> = {
  'running-workspaces': 'Running workspaces',
  'transitions-under-way': 'Transitions under way',
  'running-backups': 'Running backups',
  'restore-jobs': 'Restore jobs',
  'open-allow-list-entries': 'Open allow lists'
}

/** Reviews the requests of the client, and lists what it left behind. */
export function ReportView() {
  const { model } = useApp()
  // Requests change the report, too, even if they change no state.
  const { value: report, error } = useReading<Report>(model, '/report', model.changes)
  if (error !== undefined) return <p class="problem empty">{error}</p>
  if (report === undefined) return <p class="quiet empty">Reading the report…</p>
  return (
    <div class="columns">
      <section class="card" aria-labelledby="findings-title">
        <h2 id="findings-title">
          Findings <span class="quiet">{report.findings.length}</span>
        </h2>
        {report.findings.length === 0 ? (
          <p class="quiet">Nothing in the journal would cause trouble with a real service.</p>
        ) : (
          <ul class="plain chain">
            {[...groupBy(report.findings, ({ rule }) => rule)].map(([rule, findings]) => (
              <li key={rule} data-finding={rule}>
                <h3>
                  {FINDINGS[rule]} {findings.length === 1 ? null : <span class="quiet">×{findings.length}</span>}
                </h3>
                <More items={findings} shown={3} class="chain">
                  {({ message, requests }) => (
                    <>
                      <p>{message}</p>
                      <RequestLinks ids={requests} />
                    </>
                  )}
                </More>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="left-title">
        <h2 id="left-title">Left behind</h2>
        {report.left_behind.length === 0 ? (
          <p class="quiet">Nothing that a test should have cleaned up.</p>
        ) : (
          <ul class="plain chain">
            {report.left_behind.map(({ kind, message, ids }) => (
              <li key={kind} data-left={kind}>
                <h3>
                  {LEFT[kind]} <span class="quiet">{ids.length}</span>
                </h3>
                <p>{message}</p>
                <Resources ids={ids} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

/** Names resources; workspaces are links. */
function Resources({ ids }: { ids: readonly string[] }) {
  const { model } = useApp()
  return (
    <More items={ids} shown={20} class="links inline-list">
      {(id) => {
        const workspace = model.workspaces.get(id)
        return workspace === undefined ? (
          <code>{id}</code>
        ) : (
          <a href={`#/overview/${encodeURIComponent(id)}`}>{workspace.name}</a>
        )
      }}
    </More>
  )
}
