import { useMemo, useState } from 'preact/hooks'
import type { RequestSummary } from '../api/types'
import { shortPath } from '../model/paths'
import { clockTime } from '../model/time'
import { useApp } from '../parts/app-context'
import { Status } from '../parts/status'
import { useMedia } from '../parts/use'
import { VirtualList } from '../parts/virtual-list'
import { RecordPanel } from './record'

const CLASSES = [
  ['', 'Any status'],
  ['2', '2xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['lost', 'Lost'],
  ['fault', 'With a fault']
] as const

/** Lists the requests to the interface, newest first. */
export function RequestsView({ part }: { part: string | undefined }) {
  const { model, attempt } = useApp()
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const isNarrow = useMedia('(max-width: 760px)')
  const shown = useMemo(
    () => model.requests.filter((request) => isOf(request, kind) && hasAll(request, text)).reverse(),
    [model.requests, text, kind]
  )
  const clear = () => attempt(async () => (await model.client.control('DELETE', '/requests')).message)
  return (
    <div class={part === undefined ? 'split' : 'split open'}>
      <section class="pane" aria-label="Requests">
        <div class="bar">
          <input
            type="search"
            placeholder="Filter by operation, path, id, error…"
            aria-label="Filter the requests"
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
            }}
          />
          <select
            aria-label="Status"
            value={kind}
            onChange={({ currentTarget }) => {
              setKind(currentTarget.value)
            }}
          >
            {CLASSES.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <span class="quiet" role="status">
            {shown.length} of {model.requests.length}
          </span>
          <button type="button" disabled={model.requests.length === 0} onClick={() => void clear()}>
            Clear
          </button>
        </div>
        {model.requests.length === 0 ? (
          <p class="quiet empty">
            No requests yet. What a client asks of the interface with this key shows here as it comes; what the console
            reads does not.
          </p>
        ) : (
          <VirtualList
            items={shown}
            rowHeight={isNarrow ? 56 : 28}
            label="Requests, the newest first"
            class="grid requests"
            keyOf={({ request_id: id, received }) => `${id} ${received}`}
            head={
              isNarrow ? undefined : (
                <div class="row head" role="row" aria-rowindex={1}>
                  {['Time', 'Status', 'Operation', 'Path', 'Took'].map((name) => (
                    <span key={name} role="columnheader">
                      {name}
                    </span>
                  ))}
                </div>
              )
            }
            row={(request, index) => (
              <RequestRow request={request} index={index} isChosen={request.request_id === part} />
            )}
          />
        )}
      </section>
      {part === undefined ? null : <RecordPanel key={part} id={part} />}
    </div>
  )
}

function RequestRow({ request, index, isChosen }: { request: RequestSummary; index: number; isChosen: boolean }) {
  const { request_id: id, at, status, operation, method, path, duration_ms: took, error, fault } = request
  return (
    <div class={isChosen ? 'row chosen' : 'row'} role="row" aria-rowindex={index + 2}>
      <span class="at numbers" role="cell" title={at}>
        {clockTime(at)}
      </span>
      <span class="status-cell" role="cell">
        <Status status={status} />
        {fault === null ? null : <span class="fault">fault</span>}
      </span>
      <span class="operation" role="cell">
        <a href={`#/requests/${encodeURIComponent(id)}`} title={id}>
          {operation ?? `${method} (no operation)`}
        </a>
      </span>
      <span class="path" role="cell" title={error ?? path}>
        {error ?? `${method} ${shortPath(path)}`}
      </span>
      <span class="took numbers" role="cell">
        {took} ms
      </span>
    </div>
  )
}

function isOf({ status, fault }: RequestSummary, kind: string): boolean {
  if (kind === '') return true
  if (kind === 'fault') return fault !== null
  return kind === 'lost' ? status === null : String(status).startsWith(kind)
}

function hasAll({ operation, method, path, request_id: id, error, status }: RequestSummary, text: string): boolean {
  const all = `${operation ?? ''} ${method} ${path} ${id} ${error ?? ''} ${status ?? 'lost'}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
