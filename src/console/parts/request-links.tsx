import { useMemo } from 'preact/hooks'
import { linkTo } from '../model/route'
import { clockTime } from '../model/time'
import { useApp } from './app-context'
import { Items } from './blocks'

const SHOWN = 10

/** Links to the records of requests, named by their times. */
export function RequestLinks({ ids }: { ids: readonly string[] }) {
  const { model } = useApp()
  const times = useMemo(() => new Map(model.requests.map(({ request_id: id, at }) => [id, at])), [model.requests])
  return (
    <Items items={ids} shown={SHOWN} class="links inline-list" label="Requests">
      {(id) => {
        const at = times.get(id)
        return (
          <a href={linkTo('requests', id)} title={id}>
            {at === undefined ? <code>{id}</code> : <span class="numbers">{clockTime(at)}</span>}
          </a>
        )
      }}
    </Items>
  )
}
