import { Fragment } from 'preact'
import type { RequestRecord } from '../../api/types'
import { zoneAt } from '../../model/time'
import { Resource } from '../../parts/resource'
import { Time } from '../../parts/time'

/** Resources that a path may name, by their parameters. */
const RESOURCES = [
  ['Workgroup', 'workgroupID'],
  ['Workspace', 'workspaceID'],
  ['Database', 'databaseID']
] as const

/** When a request came, how long it took, and what it is about. */
export function Facts({ request }: { request: NonNullable<RequestRecord['request']> }) {
  const { at, received, duration_ms: took, params, trace } = request
  const isApart = Math.abs(Date.parse(received) - Date.parse(at)) >= 1000
  return (
    <dl class="facts">
      <dt>At</dt>
      <dd>
        <Time at={at} /> {zoneAt(at)}
        {isApart ? (
          <span class="quiet">
            {' '}
            by the sandbox’s clock; received <Time at={received} />
          </span>
        ) : null}
      </dd>
      <dt>Took</dt>
      <dd>{took} ms</dd>
      {trace === undefined ? null : (
        <>
          <dt>Trace</dt>
          <dd>
            <code>{trace}</code>
          </dd>
        </>
      )}
      {RESOURCES.map(([name, parameter]) => {
        const id = params[parameter]
        return typeof id === 'string' ? (
          <Fragment key={parameter}>
            <dt>{name}</dt>
            <dd>
              <Resource id={id} />
            </dd>
          </Fragment>
        ) : null
      })}
    </dl>
  )
}
