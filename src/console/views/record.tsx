import { sendable, whyNotSendable } from '../api/repeat'
import type { RequestRecord } from '../api/types'
import { shortPath } from '../model/paths'
import { ignoredFields } from '../model/requests'
import { linkTo } from '../model/route'
import { zoneAt } from '../model/time'
import { Guard, useApp } from '../parts/app-context'
import { Button, Facts, Items, Json } from '../parts/blocks'
import { Panel } from '../parts/panel'
import { Resource } from '../parts/resource'
import { Status } from '../parts/state'
import { StateChange, StepLink } from '../parts/step'
import { Time } from '../parts/time'
import { useReading } from '../parts/use'
import { Changes } from './changes'

type Request = NonNullable<RequestRecord['request']>

/** Shows a request and its effects: changed rows, scheduled events, and state changes. */
export function RecordPanel({ id, of, closeTo }: { id: string; of?: string | undefined; closeTo: string }) {
  const { value: record, error } = useReading<RequestRecord>(`/requests/${encodeURIComponent(id)}`)
  return (
    <Panel label="Causal record" title={record?.request?.operation ?? 'Request'} closeTo={closeTo}>
      <p class="line">
        <code>{id}</code>
      </p>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {record === undefined ? null : <Record record={record} of={of} />}
    </Panel>
  )
}

function Record({ record, of }: { record: RequestRecord; of: string | undefined }) {
  const { request, changes, events, timeline, omitted } = record
  return (
    <>
      {request === null ? (
        <p class="quiet">The request itself is not in the journal: it was a call of the control API, or is too old.</p>
      ) : (
        <Call request={request} record={record} of={of} />
      )}
      <h3>Immediate changes</h3>
      <Changes changes={changes} empty="Nothing." />
      <Items title="Scheduled" items={events} empty="Nothing." class="chain">
        {(event) => (
          <>
            <code>{event.event}</code> <span class={`tag event-${event.state}`}>{event.state}</span>{' '}
            {event.held ? 'held' : <Time at={event.at ?? event.due!} />} <Resource id={event.resource_id} />
            {event.cancelled_by === null ? null : (
              <>
                {' '}
                by <a href={linkTo('requests', event.cancelled_by)}>a later request</a>
              </>
            )}
            <Changes changes={event.changes} />
          </>
        )}
      </Items>
      <Items title="State changes it caused" items={timeline} empty="None." class="chain">
        {(item) => (
          <>
            <Time at={item.at} /> <StateChange item={item} />
          </>
        )}
      </Items>
      {omitted === 0 ? null : <p class="quiet">And {omitted} more, which were not kept.</p>}
      <Part title="Body" value={request?.body} />
      <Part title="Reply" value={request?.reply} />
    </>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  return value === null || value === undefined ? null : (
    <>
      <h3>{title}</h3>
      <Json value={value} label={title} />
    </>
  )
}

function Call({ request, record, of }: { request: Request; record: RequestRecord; of: string | undefined }) {
  const { model, past } = useApp()
  const { validation, fault } = record
  const { status, method, path, error } = request
  const ignored = ignoredFields(request)
  const answer = past?.recorded
    .upTo(past.shown.place)
    .findLast((step) => step.request !== undefined && step.id === request.request_id)
  return (
    <>
      <p class="line">
        <Status status={status} />{' '}
        <code>
          {method} {shortPath(path, model.controller)}
        </code>
      </p>
      {past === undefined ? (
        <Again request={request} isValid={validation.ok} of={of} />
      ) : (
        <p class="line">{answer === undefined ? null : <StepLink step={answer.step} />}</p>
      )}
      <About request={request} />
      {error === null ? null : <p class="problem">{error}</p>}
      {ignored === undefined ? null : <p class="held">{ignored}</p>}
      <Part title="Injected fault" value={fault} />
      <Items title="Invalid fields" items={validation.faults}>
        {({ field, reason }) => (
          <>
            <code>{field}</code> {reason}
          </>
        )}
      </Items>
    </>
  )
}

function Again({ request, isValid, of }: { request: Request; isValid: boolean; of: string | undefined }) {
  const { model, attempt } = useApp()
  const call = sendable(request, model.names)
  const obstacle = whyNotSendable(request, isValid)
  const send = () =>
    attempt(async () => {
      const { status, id } = await model.client.repeat(call)
      if (id !== null) location.hash = linkTo('requests', id, of)
      return `Sent again: ${status}.`
    })
  const copy = async () => {
    const command = model.client.commandFor(call)
    try {
      // The clipboard is undefined in a page from another machine without HTTPS.
      await navigator.clipboard.writeText(command)
    } catch {
      throw new Error(`The browser refuses to copy: ${command}`)
    }
    return 'Copied.'
  }
  return (
    <>
      <div class="buttons">
        <Guard>
          <Button text="Send again" disabled={obstacle !== undefined} onClick={send} />
        </Guard>
        <Button text="Copy as curl" onClick={() => attempt(copy)} />
      </div>
      {obstacle === undefined ? null : <p class="quiet">It cannot be sent again. {obstacle}</p>}
    </>
  )
}

function About({ request: { at, received, duration_ms: took, params, trace } }: { request: Request }) {
  const resource = (parameter: string) => {
    const id = params[parameter]
    return typeof id === 'string' ? <Resource id={id} /> : undefined
  }
  return (
    <Facts
      facts={[
        [
          'Sandbox time',
          <>
            <Time at={at} /> {zoneAt(at)}
          </>
        ],
        ['Real time', <Time at={received} />],
        ['Took', `${took} ms`],
        ['Trace', trace && <code>{trace}</code>],
        ['Workgroup', resource('workgroupID')],
        ['Workspace', resource('workspaceID')],
        ['Database', resource('databaseID')]
      ]}
    />
  )
}
