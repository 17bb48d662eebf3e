import { REQUEST_LIMIT } from '../../model/sandbox'
import { dateTime } from '../../model/time'
import { useApp } from '../../parts/app-context'

/** Says which part of a long history is not shown, and offers to load more of it. */
export function NotShown() {
  const { model } = useApp()
  const { timeline, requests, hasOlder } = model
  const areRequestsCut = !model.isPast && requests.length >= REQUEST_LIMIT
  if (!hasOlder && !areRequestsCut) return null
  return (
    <div class="bar" role="note">
      {hasOlder ? <span>State changes before {dateTime(timeline[0]!.at)} are not loaded.</span> : null}
      {areRequestsCut ? <span>Requests before the newest {requests.length} are not shown.</span> : null}
      {hasOlder ? (
        <button
          type="button"
          onClick={() => {
            model.loadOlder()
          }}
        >
          Load older ones
        </button>
      ) : null}
    </div>
  )
}
