import { useEffect, useMemo, useState } from 'preact/hooks'
import type { RequestSummary } from '../api/types'
import { foldReads } from '../model/fold-reads'
import { linkTo } from '../model/route'
import { toggled } from '../model/toggled'
import { useApp } from '../parts/app-context'
import { Button } from '../parts/blocks'
import { Guard } from '../parts/guard'
import { NoMatch } from '../parts/no-match'
import { Only } from '../parts/only'
import { useMedia } from '../parts/use'
import { Head, VirtualList } from '../parts/virtual-list'
import { RecordPanel } from './record'
import { RequestRow, type Row } from './requests/row'
import { KINDS, selectRequests } from './requests/select'

const COLUMNS = ['Time', 'After', 'Status', 'Times', 'Request', 'Resource', 'Note', 'Took']

const NO_REQUESTS =
  'No requests yet. What a client asks of the interface with this key shows here as it comes; what the console reads ' +
  'does not.'

/** Lists the requests to the interface, newest first. */
export function RequestsView({ part, of }: { part: string | undefined; of: string | undefined }) {
  const { model, attempt } = useApp()
  const [text, setText] = useState('')
  const [kind, setKind] = useState('')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const isNarrow = useMedia('(max-width: 760px)')
  const shown = useMemo(
    () => selectRequests(model, text, kind, of),
    [model.requests, model.timeline, model.version, text, kind, of]
  )
  const rows = useMemo(() => rowsOf(shown, open), [shown, open])
  const isFiltered = text !== '' || kind !== '' || of !== undefined
  useEffect(() => {
    // What is looked for may be among those that are not loaded.
    if (isFiltered && model.areRequestsCut) model.loadAllRequests()
  }, [isFiltered, model.areRequestsCut])
  const clear = () => attempt(() => model.client.control('DELETE', '/requests'))
  return (
    <div class="split">
      <section class="pane" aria-label="Requests">
        <div class="bar">
          <input
            type="search"
            placeholder="Filter by path, name, error…"
            aria-label="Filter the requests"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <select aria-label="Status" value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            {KINDS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          {of === undefined ? null : <Only view="requests" of={of} />}
          <span class="quiet" role="status">
            {shown.length} of {model.areRequestsCut ? `the newest ${model.requests.length} of ` : ''}
            {model.requestTotal}
          </span>
          <Guard>
            <Button text="Clear" disabled={model.requests.length === 0} onClick={clear} />
          </Guard>
        </div>
        {model.requests.length === 0 ? (
          <p class="quiet empty">{model.isPast ? 'No requests up to this step.' : NO_REQUESTS}</p>
        ) : shown.length === 0 ? (
          <NoMatch
            items="requests"
            onClear={() => {
              setText('')
              setKind('')
              location.hash = linkTo('requests', part)
            }}
          />
        ) : (
          <VirtualList
            items={rows}
            rowHeight={isNarrow ? 66 : 28}
            label="Requests, the newest first"
            class="grid requests"
            keyOf={({ key }) => key}
            head={isNarrow ? undefined : <Head columns={COLUMNS} />}
            row={(row, index) => (
              <RequestRow
                row={row}
                index={index}
                isChosen={row.request.request_id === part}
                of={of}
                onToggle={() => setOpen(toggled(open, row.key))}
              />
            )}
          />
        )}
      </section>
      {part === undefined ? null : (
        <RecordPanel key={part} id={part} of={of} closeTo={linkTo('requests', undefined, of)} />
      )}
    </div>
  )
}

/** @param open keys of the rows that show all of their requests */
function rowsOf(requests: readonly RequestSummary[], open: ReadonlySet<string>): Row[] {
  const before = new Map(requests.map((request, index) => [request, requests[index + 1]]))
  const gapBefore = (request: RequestSummary) => {
    const previous = before.get(request)
    return previous === undefined ? undefined : Date.parse(request.at) - Date.parse(previous.at)
  }
  return foldReads(requests).flatMap(([request, ...earlier]) => {
    // Newer requests join a row, so its oldest one names it.
    const key = `row ${nameOf(earlier.at(-1) ?? request!)}`
    const isOpen = open.has(key)
    const gap = gapBefore(isOpen ? request! : (earlier.at(-1) ?? request!))
    return [
      { key, request: request!, count: earlier.length + 1, gap, isOpen },
      ...(isOpen ? earlier : []).map((other) => ({ key: nameOf(other), request: other, gap: gapBefore(other) }))
    ]
  })
}

/** A client may use a RequestID twice. */
const nameOf = ({ request_id: id, received }: RequestSummary) => `${id} ${received}`
