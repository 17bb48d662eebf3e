import type { RequestSummary } from '../../api/types'
import { ignoredFields } from '../../model/ignored-fields'
import { shortPath, splitPath, withShortIds } from '../../model/paths'
import { linkTo } from '../../model/route'
import { duration } from '../../model/time'
import { useApp } from '../../parts/app-context'
import { Button } from '../../parts/blocks'
import { Status } from '../../parts/state'
import { Time } from '../../parts/time'
import { namesOf } from './select'

/** A row of the list: a request, which may stand for the same read repeated. */
export interface Row {
  readonly key: string
  readonly request: RequestSummary
  /** Milliseconds since the request before, by the clock of the sandbox. */
  readonly gap: number | undefined
  /** Number of requests that it stands for; undefined: it belongs to an open row above. */
  readonly count?: number
  readonly isOpen?: boolean
}

export function RequestRow(props: {
  row: Row
  index: number
  isChosen: boolean
  of: string | undefined
  onToggle: () => void
}) {
  const { row, index, isChosen, of, onToggle } = props
  const { request, count = 1, gap, isOpen } = row
  const { model, past } = useApp()
  const { request_id: id, at, status, operation, stub, method, path, duration_ms: took, error, fault } = request
  const names = namesOf(model, path)
  const isShown = past?.shown.id === id
  const ignored = ignoredFields(request)
  return (
    <div
      class={`row ${isChosen ? 'chosen' : ''} ${row.count === undefined ? 'within' : ''} ${isShown ? 'touched' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      data-request={id}
    >
      <span class="at" role="cell">
        <Time at={at} isShort />
      </span>
      <span class="gap numbers quiet" role="cell">
        {gap === undefined || gap <= 0 ? null : `+${duration(gap)}`}
      </span>
      <span class="status-cell" role="cell">
        <Status status={status} />
      </span>
      <span class="count" role="cell">
        {count === 1 ? null : (
          <Button
            text={`×${count}`}
            label={`All ${count} requests`}
            aria-expanded={isOpen === true}
            onClick={onToggle}
          />
        )}
      </span>
      <span class="request" role="cell">
        <a href={linkTo('requests', id, of)} title={`${method} ${path}`}>
          <b>{method}</b> <Path path={path} isKnown={operation !== null || stub !== undefined} />{' '}
          <span class="quiet">{operation ?? (stub === undefined ? 'no operation' : `stub ${stub}`)}</span>
        </a>
      </span>
      <span class="resource quiet" role="cell" title={names}>
        {names}
      </span>
      <span class="note problem" role="cell" title={[error, ignored].filter(Boolean).join(' ')}>
        {fault === null ? null : <span class="tag fault">fault</span>}{' '}
        {ignored === undefined ? null : <span class="tag ignored">ignored: {request.unread.join(', ')}</span>}{' '}
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
