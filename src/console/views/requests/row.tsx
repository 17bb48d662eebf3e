import type { RequestSummary } from '../../api/types'
import { ignoredFields } from '../../model/ignored-fields'
import { shortPath, splitPath, withShortIds } from '../../model/paths'
import { linkTo } from '../../model/route'
import { duration } from '../../model/time'
import { useApp } from '../../parts/app-context'
import { Status } from '../../parts/status'
import { Time } from '../../parts/time'
import { namesOf } from './select'

/** A row of the list: a request, which may stand for the same read repeated. */
export interface Row {
  readonly key: string
  readonly request: RequestSummary
  /** Number of requests that it stands for. */
  readonly count: number
  /** Milliseconds since the request before, by the clock of the sandbox. */
  readonly gap: number | undefined
  readonly isOpen: boolean
  /** Whether it belongs to an open row above. */
  readonly isWithin: boolean
}

const COLUMNS = ['Time', 'After', 'Status', 'Times', 'Request', 'Resource', 'Note', 'Took']

export function Head() {
  return (
    <div class="row head" role="row" aria-rowindex={1}>
      {COLUMNS.map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
    </div>
  )
}

export function RequestRow({
  row: { request, count, gap, isOpen, isWithin },
  index,
  isChosen,
  of,
  onToggle
}: {
  row: Row
  index: number
  isChosen: boolean
  of: string | undefined
  onToggle: () => void
}) {
  const { model, past } = useApp()
  const { request_id: id, at, status, operation, stub, method, path, duration_ms: took, error, fault } = request
  const names = namesOf(model, path)
  const isShown = past?.recorded.stepAt(past.place)?.id === id
  const ignored = ignoredFields(request)
  return (
    <div
      class={`row ${isChosen ? 'chosen' : ''} ${isWithin ? 'within' : ''} ${isShown ? 'touched' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      data-request={id}
    >
      <span class="at" role="cell">
        <Time at={at} isShort />
      </span>
      <span class="gap numbers" role="cell">
        {gap === undefined || gap <= 0 ? null : `+${duration(gap)}`}
      </span>
      <span class="status-cell" role="cell">
        <Status status={status} />
      </span>
      <span class="count" role="cell">
        {count === 1 ? null : (
          <button type="button" aria-expanded={isOpen} aria-label={`All ${count} requests`} onClick={onToggle}>
            ×{count}
          </button>
        )}
      </span>
      <span class="request" role="cell">
        <a href={linkTo('requests', id, of)} title={`${method} ${path}`}>
          <b>{method}</b> <Path path={path} isKnown={operation !== null || stub !== undefined} />{' '}
          <span class="quiet">{operation ?? (stub === undefined ? 'no operation' : `stub ${stub}`)}</span>
        </a>
      </span>
      <span class="resource" role="cell" title={names}>
        {names}
      </span>
      <span class="note" role="cell" title={[error, ignored].filter(Boolean).join(' ')}>
        {fault === null ? null : <span class="fault">fault</span>}{' '}
        {ignored === undefined ? null : <span class="ignored">ignored: {request.unread.join(', ')}</span>}{' '}
        <span class="error">{error}</span>
      </span>
      <span class="took numbers" role="cell">
        {took} ms
      </span>
    </div>
  )
}

/** That of an operation without what all of them begin with; any other one whole, with the part that is wrong. */
function Path({ path, isKnown }: { path: string; isKnown: boolean }) {
  const { model } = useApp()
  if (isKnown) return <code>{withShortIds(shortPath(path, model.controller))}</code>
  const [beginning, rest] = splitPath(path, model.controller)
  return (
    <code>
      {beginning}
      <mark>{rest}</mark>
    </code>
  )
}
