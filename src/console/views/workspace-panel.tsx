import type { Backup, Workspace, WorkspaceDetails } from '../api/types'
import { linkTo } from '../model/route'
import { dateTime, distance } from '../model/time'
import { useApp } from '../parts/app-context'
import { CopyButton } from '../parts/copy'
import { Guard } from '../parts/guard'
import { Panel } from '../parts/panel'
import { State } from '../parts/state'
import { addressAt, causesLink } from '../parts/step'
import { useReading } from '../parts/use'
import { Ending, endsOf, LABELS } from './ending'

/** Shows one workspace, and acts on it. */
export function WorkspacePanel({ workspace, closeTo }: { workspace: Workspace; closeTo: string }) {
  const { model, past, attempt, confirm } = useApp()
  const { workspace_id: id, name } = workspace
  const { value: details, error } = useReading<WorkspaceDetails>(model, `/workspaces/${encodeURIComponent(id)}`)
  const events = model.events.filter(({ resource_id: resource }) => resource === id)
  const history = model.timeline
    .filter(({ resource_id: resource }) => resource === id)
    .slice(-12)
    .reverse()

  const actions = (['pause', 'resume', 'refresh', 'backup', 'activity'] as const).filter(
    (action) => model.canBe(action, workspace) && (action !== 'backup' || workspace.is_rw)
  )
  const remove = async () => {
    if (
      !(await confirm({
        title: `Delete ${name}?`,
        text: 'Everything that belongs to it is deleted, too.',
        verb: 'Delete'
      }))
    )
      return
    await attempt(() => model.act('delete', workspace))
  }
  const restore = async (backup: Backup) => {
    await attempt(
      async () =>
        (await model.call('POST', `${model.pathOf(workspace)}/backups/restore`, { backup_id: backup.id })).message
    )
  }
  return (
    <Panel label={`Workspace ${name}`} title={name} closeLabel="Close the workspace" closeTo={closeTo}>
      <p class="line">
        <State name={workspace.status} />
        <Ending workspace={workspace} end={endsOf(model.events).get(id)} />
      </p>
      <div class="buttons">
        <Guard>
          {actions.map((action) => (
            <button key={action} type="button" onClick={() => void attempt(() => model.act(action, workspace))}>
              {LABELS[action]}
            </button>
          ))}
          {model.canBe('delete', workspace) ? (
            <button type="button" class="danger" onClick={() => void remove()}>
              Delete
            </button>
          ) : null}
        </Guard>
        <a class="button" href={linkTo('requests', undefined, id)}>
          Requests
        </a>
        {model.isPast ? (
          <a class="button" href={causesLink(id)}>
            What led here
          </a>
        ) : null}
        <CopyButton text={addressAt(past?.step)} label="Copy link" />
      </div>
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Size</dt>
        <dd>
          {workspace.workspace_type_name}, version {workspace.svc_version}
        </dd>
        <dt>Access</dt>
        <dd>
          {workspace.is_rw ? 'read-write' : 'read-only'}; refresh: {workspace.refresh_status}
        </dd>
        <dt>Database</dt>
        <dd>{model.databases.get(workspace.database_id)?.name ?? workspace.database_id}</dd>
        <dt>Host</dt>
        <dd>
          <code>{workspace.host}</code>
        </dd>
      </dl>

      <h3>Due</h3>
      {events.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <ul class="plain">
          {events.map((due, index) => (
            <li key={index}>
              <code>{due.event}</code>{' '}
              {due.due === null ? (
                <span class="held">held</span>
              ) : (
                <>
                  {dateTime(due.due)} <span class="quiet">{distance(Date.parse(due.due), model.now())}</span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}

      <h3>Backups</h3>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {details === undefined || details.backups.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <table class="small" aria-label="Backups">
          <thead>
            <tr>
              <th>Made</th>
              <th>State</th>
              <th>
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {[...details.backups].reverse().map((backup) => (
              <tr key={backup.id} data-backup={backup.id}>
                <td title={backup.id}>
                  <span class="numbers">{dateTime(backup.time)}</span> <span class="quiet">{backup.type}</span>
                  <br />
                  <small>{backup.tag}</small>
                </td>
                <td>
                  <State name={backup.status} />
                </td>
                <td class="right">
                  {model.isState('backup', backup.status, 'Succeeded') && model.canBe('restore', workspace) ? (
                    <Guard>
                      <button type="button" aria-label={`Restore ${backup.tag}`} onClick={() => void restore(backup)}>
                        Restore
                      </button>
                    </Guard>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {details === undefined || details.restore_jobs.length === 0 ? null : (
        <>
          <h3>Restore jobs</h3>
          <ul class="plain">
            {[...details.restore_jobs].reverse().map((job) => (
              <li key={job.name} data-job={job.name}>
                <State name={job.status} /> <span class="numbers">{dateTime(job.created_at)}</span>{' '}
                <span class="quiet">{job.output.trim().split('\n').at(-1)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {details === undefined || (details.backup_schedule === null && details.schedules.length === 0) ? null : (
        <>
          <h3>Schedules</h3>
          <ul class="plain">
            {details.backup_schedule === null ? null : (
              <li>
                Backup <code>{details.backup_schedule.schedule}</code> UTC
                {details.backup_schedule.pause ? ', paused' : ''}, keeps {details.backup_schedule.max_backup_files}
              </li>
            )}
            {details.schedules.map(
              ({ id: schedule, repeat, repeat_on: days, date, time, timezone, workspace_type_name: size }) => (
                <li key={schedule}>
                  {size === undefined ? 'Stop' : `Start as ${size}`}{' '}
                  {[repeat === 'none' ? date : repeat, days, 'at', time, timezone].filter(Boolean).join(' ')}
                </li>
              )
            )}
          </ul>
        </>
      )}

      <h3>History</h3>
      {history.length === 0 ? (
        <p class="quiet">Nothing in this sandbox's timeline.</p>
      ) : (
        <ol class="plain history">
          {history.map((item, index) => (
            <li key={`${item.at} ${index}`}>
              <a
                class="numbers"
                href={`#/requests/${encodeURIComponent(item.request_id)}`}
                title="The request that caused it"
              >
                {dateTime(item.at)}
              </a>{' '}
              {item.from ?? '(none)'} → {item.to}
              {item.reason === null ? '' : `: ${item.reason}`}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
