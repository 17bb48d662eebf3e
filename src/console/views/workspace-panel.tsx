import { toWire } from '../api/repeat'
import type { Backup, Workspace, WorkspaceDetails } from '../api/types'
import { linkTo } from '../model/route'
import { stateOf } from '../model/state-of'
import { Guard, useApp } from '../parts/app-context'
import { Button, Facts, Items, Table } from '../parts/blocks'
import { Panel } from '../parts/panel'
import { State } from '../parts/state'
import { Time } from '../parts/time'
import { useReading } from '../parts/use'
import { Ending, endsOf, LABELS } from './ending'

const NOTHING: WorkspaceDetails = { backups: [], restore_jobs: [], backup_schedule: null, schedules: [] }

export function WorkspacePanel({ workspace, closeTo }: { workspace: Workspace; closeTo: string }) {
  const { model, attempt, confirm } = useApp()
  const { workgroup_id: workgroupID, workspace_id: id, name } = workspace
  const { value: details, error } = useReading<WorkspaceDetails>(`/workspaces/${encodeURIComponent(id)}`)
  const { backups, restore_jobs: jobs, backup_schedule: nightly, schedules } = details ?? NOTHING
  const empty = details === undefined ? (error ?? 'Reading…') : 'None.'
  const actions = (['pause', 'resume', 'refresh', 'backup', 'activity'] as const).filter((action) =>
    model.canBe(action, workspace)
  )
  const remove = async () => {
    if (await confirm(`Delete ${name}?`, 'Its backups, schedules and users are deleted, too.', 'Delete'))
      await attempt(() => model.act('delete', workspace))
  }
  const restore = (backup: Backup) =>
    attempt(() =>
      model.call('restoreBackup', { workgroupID, workspaceID: id, body: toWire({ backup_id: backup.id }, model.names) })
    )
  return (
    <Panel label={`Workspace ${name}`} title={name} closeTo={closeTo}>
      <p class="line">
        <State name={workspace.status} />
        <Ending workspace={workspace} end={endsOf(model.events).get(id)} />
      </p>
      <div class="buttons">
        <Guard>
          {actions.map((action) => (
            <Button key={action} text={LABELS[action]} onClick={() => attempt(() => model.act(action, workspace))} />
          ))}
          {model.canBe('delete', workspace) ? <Button text="Delete" class="danger" onClick={remove} /> : null}
        </Guard>
        <a class="button" href={linkTo('requests', undefined, id)}>
          Requests
        </a>
        {model.isPast ? (
          <a class="button" href={linkTo('causes', id)}>
            What led here
          </a>
        ) : null}
      </div>
      <Facts
        facts={[
          ['Id', <code>{id}</code>],
          ['Size', `${workspace.workspace_type_name}, version ${workspace.svc_version}`],
          ['Access', workspace.is_rw ? 'read-write' : 'read-only'],
          ['Refresh', workspace.refresh_status || undefined],
          ['Database', model.nameOf(workspace.database_id) ?? workspace.database_id],
          ['Host', <code>{workspace.host}</code>]
        ]}
      />

      <h3>Backups</h3>
      <Table
        label="Backups"
        columns={{ Time: '', State: '', Actions: 'right' }}
        items={[...backups].reverse()}
        empty={empty}
        keyOf={(backup) => backup.id}
        cells={(backup) => [
          <span title={backup.id}>
            <Time at={backup.time} /> <span class="quiet">{backup.type}</span>
            <br />
            <small>{backup.tag}</small>
          </span>,
          <State name={backup.status} kind="backup" />,
          stateOf(model.about!.states, backup.status, 'backup') === 'Succeeded' && model.canBe('restore', workspace) ? (
            <Guard>
              <Button text="Restore" label={`Restore ${backup.tag}`} onClick={() => restore(backup)} />
            </Guard>
          ) : null
        ]}
      />
      <Items title="Restore jobs" items={[...jobs].reverse()}>
        {({ status, created_at: at, output }) => (
          <>
            <State name={status} kind="restore_job" /> <Time at={at} />{' '}
            <span class="quiet">{output.trim().split('\n').at(-1)}</span>
          </>
        )}
      </Items>
      <Items
        title="Schedules"
        items={[...(nightly === null ? [] : [ofBackups(nightly)]), ...schedules.map(ofWorkspace)]}
        empty={empty}
      >
        {(schedule) => schedule}
      </Items>
    </Panel>
  )
}

type BackupSchedule = NonNullable<WorkspaceDetails['backup_schedule']>

const ofBackups = (schedule: BackupSchedule) =>
  `Backs up at ${schedule.schedule} (cron, UTC)${schedule.pause ? ', but is paused' : ''}. Keeps at most ` +
  `${schedule.max_backup_files} automatic backups, none longer than ${schedule.max_reserved_days} days. ` +
  `Retries after a failure: ${schedule.max_retry}.`

function ofWorkspace(schedule: WorkspaceDetails['schedules'][number]): string {
  const { workspace_type_name: size, repeat, repeat_on: days, date, time, timezone } = schedule
  const when: Readonly<Record<string, string>> = {
    none: `once, on ${date},`,
    daily: 'every day',
    weekdays: 'Monday to Friday',
    weekly: `every ${days ?? 'week'}`
  }
  return `${size ? `Starts with size ${size}` : 'Stops'} ${when[repeat] ?? repeat} at ${time} (${timezone}).`
}
