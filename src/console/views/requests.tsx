import { useMemo, useState } from 'preact/hooks'
import type { RequestSummary } from '../api/types'
import { segmentsOf, shortPath, splitPath, withShortIds } from '../model/paths'
import { foldReads, hasWords, ignoredFields } from '../model/requests'
import { linkTo } from '../model/route'
import type { SandboxModel } from '../model/sandbox'
import { duration } from '../model/time'
import { Guard, useApp } from '../parts/app-context'
import { Button } from '../parts/blocks'
import { type Column, ListView, Row } from '../parts/list-view'
import { Status } from '../parts/state'
import { Time } from '../parts/time'
import { useAllRequests, useToggles } from '../parts/use'
import { RecordPanel } from './record'

/** A row: a request, or a read and its repetitions */
interface Entry {
  readonly key: string
  readonly request: RequestSummary
  /** Sandbox time since the previous request, in milliseconds. */
  readonly gap: number | undefined
  /** Number of requests; undefined: it belongs to the unfolded row above. */
  readonly count?: number
  readonly isOpen?: boolean
}

export function RequestsView({ part, of }: { part: string | undefined; of: string | undefined }) {
  const { model, past, attempt } = useApp()
  const [text, setText] = useState('')
  const [open, toggle] = useToggles()
  const chosen = useMemo(
    () => selectRequests(model, text, of),
    [model.requests, model.timeline, model.version, text, of]
  )
  const rows = useMemo(() => rowsOf(chosen, open), [chosen, open])
  const isFiltered = text !== '' || of !== undefined
  // There may be matches among the requests that are not loaded.
  useAllRequests(isFiltered)
  const clear = () => attempt(() => model.client.control('DELETE', '/requests'))
  const columns: Column<Entry>[] = [
    { name: 'Time', class: 'at', cell: ({ request }) => <Time at={request.at} isShort /> },
    {
      name: 'Gap',
      class: 'gap numbers quiet',
      cell: ({ gap = 0 }) => (gap <= 0 ? null : `+${duration(gap)}`)
    },
    { name: 'Status', class: 'status-cell', cell: ({ request }) => <Status status={request.status} /> },
    {
      name: 'Count',
      class: 'count',
      cell: ({ key, count = 1, isOpen }) =>
        count === 1 ? null : (
          <Button
            text={`×${count}`}
            label={`All ${count} requests`}
            aria-expanded={isOpen === true}
            onClick={() => toggle(key)}
          />
        )
    },
    { name: 'Request', class: 'request', cell: ({ request }) => <Call request={request} of={of} /> },
    {
      name: 'Resource',
      class: 'resource quiet',
      title: ({ request }) => namesOf(model, request.path),
      cell: ({ request }) => namesOf(model, request.path)
    },
    {
      name: 'Note',
      class: 'note problem',
      title: ({ request }) => [request.error, ignoredFields(request)].filter(Boolean).join(' '),
      cell: ({ request }) =>
        notesOf(request).map(([kind, note]) => (
          <span key={kind} class={kind}>
            {note.split(/(?<=\/)/).map((part) => [part, <wbr />])}{' '}
          </span>
        ))
    },
    { name: 'Took', class: 'took numbers', cell: ({ request }) => `${request.duration_ms} ms` }
  ]
  return (
    <ListView
      view="requests"
      things="Requests"
      class="requests"
      label="Requests, newest first"
      placeholder="Path, name, 4xx, ignored…"
      search={[text, setText]}
      route={{ part, of }}
      tools={
        <>
          <span class="quiet" role="status">
            {model.areRequestsCut ? `newest ${model.requests.length}` : chosen.length} of {model.requestTotal}
          </span>
          <Guard>
            <Button text="Remove all" disabled={model.requests.length === 0} onClick={clear} />
          </Guard>
        </>
      }
      empty={
        model.requests.length === 0 ? (
          <p class="quiet empty">No requests. Those of clients with this key appear here, unless the journal is off.</p>
        ) : undefined
      }
      columns={columns}
      heightOf={({ request }, width) => heightOf(request, model.controller, width)}
      items={rows}
      keyOf={({ key }) => key}
      row={(entry, index) => (
        <Row
          columns={columns}
          item={entry}
          index={index}
          class={[
            entry.request.request_id === part && 'chosen',
            entry.count === undefined && 'within',
            entry.request.request_id === past?.shown.id && 'touched'
          ]}
          data-request={entry.request.request_id}
        />
      )}
      panel={
        part === undefined ? null : (
          <RecordPanel key={part} id={part} of={of} closeTo={linkTo('requests', undefined, of)} />
        )
      }
    />
  )
}

/** The notes of a request, each with its class. The row itself says that there is no operation. */
function notesOf({ fault, unread, error, method, path }: RequestSummary): [kind: string, note: string][] {
  return [
    ['tag fault', fault === null ? '' : 'fault'],
    ['tag ignored', unread.length === 0 ? '' : `ignored: ${unread.join(', ')}`],
    ['error', error?.replace(`There is no operation at ${method} ${path}. `, '') ?? '']
  ].filter(([, note]) => note !== '') as [string, string][]
}

/** The parts of a call as a row shows them: a path is whole if there is no such operation. */
function partsOf({ operation, stub, path }: RequestSummary, controller: string) {
  const isKnown = operation !== null || stub !== undefined
  const [beginning, rest] = isKnown ? [shortPath(path, controller), ''] : splitPath(path, controller)
  const name = operation ?? (stub === undefined ? 'no operation' : `stub ${stub}`)
  return { beginning: withShortIds(beginning), rest: withShortIds(rest), name }
}

/** Calculates the height of a row: the call has its own lines in a narrow list, and notes always have theirs. */
function heightOf(request: RequestSummary, controller: string, width: number): number {
  const isNarrow = width <= 1000
  const linesOf = (text: string, within: number) => Math.min(Math.ceil((text.length * 7.5) / within), 3)
  const call = [request.method, ...Object.values(partsOf(request, controller))].join(' ')
  const notes = notesOf(request)
    .map(([, note]) => note)
    .join(' ')
  return 28 + 18 * ((isNarrow ? linesOf(call, width - 30) : 0) + linesOf(notes, width - (isNarrow ? 30 : 300)))
}

/** Shows what was called, and marks the wrong part of a path. */
function Call({ request, of }: { request: RequestSummary; of: string | undefined }) {
  const { model } = useApp()
  const { request_id: id, method, path } = request
  const { beginning, rest, name } = partsOf(request, model.controller)
  return (
    <a href={linkTo('requests', id, of)} title={`${method} ${path}`}>
      <b>{method}</b>{' '}
      <code>
        {beginning}
        {rest === '' ? null : <mark>{rest}</mark>}
      </code>{' '}
      <span class="quiet">{name}</span>
    </a>
  )
}

/** @param open keys of the rows that show all of their requests */
function rowsOf(requests: readonly RequestSummary[], open: ReadonlySet<string>): Entry[] {
  const before = new Map(requests.map((request, index) => [request, requests[index + 1]]))
  const gapBefore = (request: RequestSummary) => {
    const previous = before.get(request)
    return previous === undefined ? undefined : Date.parse(request.at) - Date.parse(previous.at)
  }
  return foldReads(requests).flatMap(([request, ...earlier]) => {
    // Newer requests join a row, so its oldest one names it.
    const oldest = earlier.at(-1) ?? request!
    const key = `row ${nameOf(oldest)}`
    const isOpen = open.has(key)
    return [
      { key, request: request!, count: earlier.length + 1, gap: gapBefore(isOpen ? request! : oldest), isOpen },
      ...(isOpen ? earlier : []).map((other) => ({ key: nameOf(other), request: other, gap: gapBefore(other) }))
    ]
  })
}

/** A client may reuse a RequestID, so the name includes the time. */
const nameOf = ({ request_id: id, received }: RequestSummary) => `${id} ${received}`

/** The requests that contain all words of the text and are about the resource with the id, newest first. */
function selectRequests(model: SandboxModel, text: string, of: string | undefined) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isAbout = of === undefined ? () => true : aboutResource(model, of)
  return model.requests
    .filter((request) => isAbout(request) && hasWords(request, namesOf(model, request.path), words))
    .reverse()
}

/** A request is about a resource if its path names it, or if it changed its state, as its creation did. */
function aboutResource({ timeline, controller }: SandboxModel, id: string): (request: RequestSummary) => boolean {
  const causes = new Set(timeline.filter((item) => item.resource_id === id).map((item) => item.request_id))
  return (request) => causes.has(request.request_id) || segmentsOf(request.path, controller).includes(id)
}

function namesOf(model: SandboxModel, path: string): string {
  return segmentsOf(path, model.controller)
    .map((id) => model.nameOf(id))
    .filter((name) => name !== undefined)
    .join(' / ')
}
