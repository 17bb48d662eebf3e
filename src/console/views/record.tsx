import type { RequestRecord } from '../api/types'
import { ignoredFields } from '../model/ignored-fields'
import { shortPath } from '../model/paths'
import { useApp } from '../parts/app-context'
import { Json } from '../parts/json'
import { Panel } from '../parts/panel'
import { Resource } from '../parts/resource'
import { State } from '../parts/state'
import { Status } from '../parts/status'
import { StepLink } from '../parts/step'
import { Time } from '../parts/time'
import { useReading } from '../parts/use'
import { Again } from './requests/again'
import { Changes } from './requests/changes'
import { Facts } from './requests/facts'
import { SameCalls } from './requests/same-calls'

/** Shows the effects of a request: changed rows, scheduled events, and state changes. */
export function RecordPanel({ id, of, closeTo }: { id: string; of?: string | undefined; closeTo: string }) {
  const { model } = useApp()
  const { value: record, error } = useReading<RequestRecord>(model, `/requests/${encodeURIComponent(id)}`)
  return (
    <Panel
      label="Causal record"
      title={record?.request?.operation ?? 'Request'}
      closeLabel="Close the record"
      closeTo={closeTo}
    >
      <p class="line">
        <code>{id}</code>
      </p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {record === undefined ? null : <Record record={record} of={of} />}
    </Panel>
  )
}

function Record({ record, of }: { record: RequestRecord; of: string | undefined }) {
  const { model, past } = useApp()
  const { request, validation, changes, events, timeline, fault, omitted } = record
  const ignored = request === null ? undefined : ignoredFields(request)
  return (
    <>
      {request === null ? (
        <p class="quiet">
          {past === undefined
            ? 'The request is not in the journal: it came from the control API, or has been dropped.'
            : 'The request is not in the recording up to this step.'}
        </p>
      ) : (
        <>
          <p class="line">
            <Status status={request.status} />{' '}
            <code>
              {request.method} {shortPath(request.path, model.controller)}
            </code>
          </p>
          {past === undefined ? (
            <Again request={request} isValid={validation.ok} of={of} />
          ) : (
            <p class="line">
              <StepLink place={past.recorded.placeOfRequest(request.request_id, past.place)} />
            </p>
          )}
          <Facts request={request} />
          {request.error === null ? null : <p class="problem">{request.error}</p>}
          {ignored === undefined ? null : <p class="held">{ignored}</p>}
          {fault === null ? null : (
            <>
              <h3>Injected fault</h3>
              <Json value={fault} label="Injected fault" />
            </>
          )}
          <SameCalls request={request} of={of} />
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
              {event.held ? 'held' : <Time at={event.at ?? event.due!} />} <Resource id={event.resource_id} />
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
              <Time at={item.at} /> <Resource id={item.resource_id} />{' '}
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
