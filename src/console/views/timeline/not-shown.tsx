import { dateTime } from '../../model/time'
import { useApp } from '../../parts/app-context'

/** Says which part of a long history is not shown, and offers to load more of it. */
export function NotShown() {
  const { model } = useApp()
  const { timeline, requests, requestTotal, hasOlder, areRequestsCut } = model
  if (!hasOlder && !areRequestsCut) return null
  return (
    <div class="bar" role="note">
      {hasOlder ? <span>State changes before {dateTime(timeline[0]!.at)} are not loaded.</span> : null}
      {areRequestsCut ? (
        <span>
          The newest {requests.length} of {requestTotal} requests are shown.
        </span>
      ) : null}
      <button
        type="button"
        onClick={() => {
          if (hasOlder) model.loadOlder()
          if (areRequestsCut) model.loadAllRequests()
        }}
      >
        Load older ones
      </button>
    </div>
  )
}
