import { useState } from 'preact/hooks'
import type { Quotas as QuotaValues } from '../api/types'
import { linkTo } from '../model/route'
import { type DraftGroup, draftOf } from '../model/schema-form'
import { dateTime, distance } from '../model/time'
import { useApp } from '../parts/app-context'
import { Button, Card, Table } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'
import { useReading } from '../parts/use'
import { ClockSettings } from './rules/clock-settings'
import { TransitionRules } from './rules/transition-rules'

/** Shows the clock, scheduled events, transition rules and quotas. */
export function RulesView() {
  return (
    <div class="columns">
      <ClockSettings />
      <DueList />
      <TransitionRules />
      <Quotas />
    </div>
  )
}

/** Events that the list has room for. */
const SHOWN = 30

function DueList() {
  const { model, attempt } = useApp()
  const { events } = model
  const held = events.filter((due) => due.held).length
  const release = () => attempt(() => model.client.control('POST', '/transitions/release', {}))
  return (
    <Card title="Due" count={events.length}>
      <Table
        label="Due"
        columns={{ When: '', Event: '', Workspace: '' }}
        items={events.slice(0, SHOWN)}
        empty="Nothing is scheduled."
        row={({ due, event, resource_id: id }, index) => (
          <tr key={`${id} ${event} ${index}`}>
            <td class="numbers">
              {due === null ? (
                <span class="held">held</span>
              ) : (
                <span title={dateTime(due)}>{distance(Date.parse(due), model.now())}</span>
              )}
            </td>
            <td>
              <code>{event}</code>
            </td>
            <td>
              <a href={linkTo('overview', id)}>{model.nameOf(id) ?? id}</a>
            </td>
          </tr>
        )}
      />
      {events.length > SHOWN ? <p class="quiet">And {events.length - SHOWN} later.</p> : null}
      {held === 0 ? null : <Button text={`Release what is held (${held})`} onClick={release} />}
    </Card>
  )
}

/** Shows the quotas, and sets them. */
function Quotas() {
  const { model, attempt } = useApp()
  const { value: quotas, error } = useReading<QuotaValues>(model, '/quotas')
  const shown = draftOf(quotas ?? {}) as DraftGroup
  /** What was entered, and not yet set. */
  const [changes, setChanges] = useState<DraftGroup>({})
  return (
    <Card title="Quotas">
      {error === undefined ? null : <p class="problem">{error}</p>}
      <SchemaForm
        operation="setQuotas"
        label="Quotas"
        verb="Set quotas"
        draft={{ ...shown, ...changes }}
        onChange={(draft) =>
          setChanges(Object.fromEntries(Object.entries(draft).filter(([name, text]) => text !== shown[name])))
        }
        isUnchanged={Object.keys(changes).length === 0}
        onSubmit={async (all, noting) => {
          const changed = Object.fromEntries(Object.entries(all).filter(([name]) => name in changes))
          if (await attempt(noting(() => model.client.control('PUT', '/quotas', changed)))) setChanges({})
        }}
      />
    </Card>
  )
}
