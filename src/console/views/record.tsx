import type { RequestRecord, RequestSummary, RowChange } from '../api/types'
import { shortPath } from '../model/paths'
import { dateTime, duration } from '../model/time'
import { useApp } from '../parts/app-context'
import { Json } from '../parts/json'
import { Panel } from '../parts/panel'
import { State } from '../parts/state'
import { Status } from '../parts/status'
import { useReading } from '../parts/use'

/** Shows the effects of a request: changed rows, scheduled events, and state changes. */
export function RecordPanel({ id }: { id: string }) {
  const { model } = useApp()
  const { value: record, error } = useReading<RequestRecord>(model, `/requests/${encodeURIComponent(id)}`)
  return (
    <Panel
      label="Causal record"
      title={record?.request?.operation ?? 'Request'}
      closeLabel="Close the record"
      closeTo="#/requests"
    >
      <p class="line">
        <code>{id}</code>
      </p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {record === undefined ? null : <Record record={record} />}
    </Panel>
  )
}

function Record({ record }: { record: RequestRecord }) {
  const { request, validation, changes, events, timeline, fault, omitted } = record
  return (
    <>
      {request === null ? (
        <p class="quiet">The request is not in the journal: it came from the control API, or has been dropped.</p>
      ) : (
        <>
          <p class="line">
            <Status status={request.status} />{' '}
            <code>
              {request.method} {shortPath(request.path)}
            </code>
          </p>
          <p class="quiet">
            at {dateTime(request.at)}, took {request.duration_ms} ms
          </p>
          {request.error === null ? null : <p class="problem">{request.error}</p>}
          {fault === null ? null : (
            <>
              <h3>Injected fault</h3>
              <Json value={fault} label="Injected fault" />
            </>
          )}
          <SameCalls request={request} />
          {validation.ok ? null : (
            <>
              <h3>Invalid fields</h3>
              <ul class="plain">
                {validation.faults.map(({ field, reason }) => (
                  <li key={field}>
                    <code>{field}</code> {reason}
                  </li>
                ))}
              </ul>
            </>
          )}
          {request.unread.length === 0 ? null : <p class="held">Nobody reads {request.unread.join(', ')}</p>}
        </>
      )}
      <h3>Immediate changes</h3>
      {changes.length === 0 ? <p class="quiet">Nothing.</p> : <Changes changes={changes} />}
      <h3>Scheduled</h3>
      {events.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <ol class="plain chain">
          {events.map((event, index) => (
            <li key={index}>
              <code>{event.event}</code> <span class={`event event-${event.state}`}>{event.state}</span>{' '}
              <span class="numbers">{event.held ? 'held' : dateTime(event.at ?? event.due!)}</span>
              {event.cancelled_by === null ? null : (
                <>
                  {' '}
                  by <a href={`#/requests/${encodeURIComponent(event.cancelled_by)}`}>a later request</a>
                </>
              )}
              {event.changes.length === 0 ? null : <Changes changes={event.changes} />}
            </li>
          ))}
        </ol>
      )}
      <h3>State changes it caused</h3>
      {timeline.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <ol class="plain chain">
          {timeline.map((item, index) => (
            <li key={index}>
              <span class="numbers">{dateTime(item.at)}</span> <code>{item.resource_id}</code>{' '}
              {item.from === null ? '(none)' : <State name={item.from} />} → <State name={item.to} />
              {item.reason === null ? null : <span class="problem"> {item.reason}</span>}
            </li>
          ))}
        </ol>
      )}
      {omitted === 0 ? null : <p class="quiet">And {omitted} more that are not kept.</p>}
      {request === null ? null : (
        <>
          {request.body === null ? null : (
            <>
              <h3>Body</h3>
              <Json value={request.body} label="Body" />
            </>
          )}
          {request.reply === null ? null : (
            <>
              <h3>Reply</h3>
              <Json value={request.reply} label="Reply" />
            </>
          )}
        </>
      )}
    </>
  )
}

/** Lists the same call before and after this one, which reveals a client that repeats a failed call. */
function SameCalls({ request }: { request: RequestSummary }) {
  const { model } = useApp()
  const same = model.requests.filter(
    ({ operation, method, path }) =>
      operation === request.operation && method === request.method && path === request.path
  )
  const index = same.findIndex(
    ({ request_id: id, received }) => id === request.request_id && received === request.received
  )
  const others = same
    .map((other, position) => ({ other, position }))
    .slice(Math.max(0, index - 3), index + 4)
    .filter(({ position }) => position !== index)
  if (index < 0 || others.length === 0 || request.method === 'GET') return null
  const sign = (other: RequestSummary) => Date.parse(other.received) - Date.parse(request.received)
  return (
    <>
      <h3>The same call</h3>
      <ul class="plain" aria-label="The same call">
        {others.map(({ other, position }) => (
          <li key={`${other.request_id} ${position}`}>
            <Status status={other.status} />{' '}
            <a href={`#/requests/${encodeURIComponent(other.request_id)}`}>
              {position > index && isFailed(request)
                ? 'repeated'
                : position > index
                  ? 'made again'
                  : isFailed(other)
                    ? 'failed before'
                    : 'made before'}
            </a>{' '}
            <span class="quiet">
              {duration(Math.abs(sign(other)))} {sign(other) >= 0 ? 'later' : 'earlier'}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const isFailed = ({ status }: RequestSummary) => status === null || status >= 400

function Changes({ changes }: { changes: readonly RowChange[] }) {
  return (
    <ul class="plain changes">
      {changes.map(({ table, change, id, before, after }, index) => (
        <li key={index}>
          <span class={`change change-${change}`}>{change}</span>{' '}
          <code>
            {table}
            {id === null ? '' : ` ${id}`}
          </code>
          {change === 'update' ? (
            <ul class="plain updates">
              {Object.entries(after ?? {}).map(([name, value]) => (
                <li key={name}>
                  <code>{name}</code> {shown(before?.[name])} → <b>{shown(value)}</b>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
