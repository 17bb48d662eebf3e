import { useMemo } from 'preact/hooks'
import { linkTo } from '../model/route'
import { clockTime } from '../model/time'
import { useApp } from './app-context'
import { Items } from './blocks'
import { useAllRequests } from './use'

const SHOWN = 10

/** Links to the records of requests, named by their times. */
export function RequestLinks({ ids }: { ids: readonly string[] }) {
  const { model } = useApp()
  const times = useMemo(() => new Map(model.requests.map(({ request_id: id, at }) => [id, at])), [model.requests])
  const unknown = useAllRequests(!ids.every((id) => times.has(id))) ? '…' : 'no longer in the journal'
  return (
    <Items items={ids} shown={SHOWN} class="links inline-list" label="Requests">
      {(id) => {
        const at = times.get(id)
        return (
          <a href={linkTo('requests', id)} title={id}>
            <span class="numbers">{at === undefined ? unknown : clockTime(at)}</span>
          </a>
        )
      }}
    </Items>
  )
}
