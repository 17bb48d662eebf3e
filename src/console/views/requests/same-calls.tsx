import type { RequestSummary } from '../../api/types'
import { linkTo } from '../../model/route'
import { duration } from '../../model/time'
import { useApp } from '../../parts/app-context'
import { Status } from '../../parts/status'

/** Lists the same call before and after this one, which reveals a client that repeats a failed call. */
export function SameCalls({ request, of }: { request: RequestSummary; of: string | undefined }) {
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
            <a href={linkTo('requests', other.request_id, of)}>
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
