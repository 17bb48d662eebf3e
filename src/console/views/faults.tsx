import { useState } from 'preact/hooks'
import type { Fault } from '../api/types'
import { NEW_FAULT, PRESETS } from '../model/fault'
import { inWords } from '../model/in-words'
import { type DraftGroup, draftOf } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Button, Card, Pending, Table } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'
import { useReading } from '../parts/use'

export function FaultsView() {
  return (
    <div class="columns">
      <FaultList />
      <NewFault />
    </div>
  )
}

function FaultList() {
  const { model, attempt } = useApp()
  const { value: faults, error } = useReading<readonly Fault[]>(model, '/faults')
  if (faults === undefined) return <Pending error={error} />
  const remove = (id = '') => attempt(() => model.client.control('DELETE', `/faults${id}`))
  return (
    <Card title="Faults">
      <Table
        label="Faults"
        columns={{ Fault: '', Matched: 'right', Fired: 'right', Actions: 'hidden' }}
        items={faults}
        empty="No faults."
        row={({ id, operation, hits, seen, times, ...rule }) => (
          <tr key={id} data-fault={id}>
            <td>
              {operation ?? 'any operation'}
              <br />
              <small>{inWords(rule)}</small>
            </td>
            <td class="right numbers">{seen}</td>
            <td class="right numbers">
              {hits}
              {times === undefined ? '' : ` of ${times}`}
            </td>
            <td class="right">
              <Button text="Remove" label={`Remove ${id}`} onClick={() => remove(`/${id}`)} />
            </td>
          </tr>
        )}
      />
      {faults.length === 0 ? null : <Button text="Remove all" onClick={() => remove()} />}
    </Card>
  )
}

/** Fields that say where a fault applies; presets do not change them. */
const PLACE = ['operation', 'workspace_id', 'workgroup_id']

function NewFault() {
  const { model, attempt } = useApp()
  const [draft, setDraft] = useState(draftOf(NEW_FAULT) as DraftGroup)
  const prepare = (rule: object) => {
    const place = Object.entries(draft).filter(([field]) => PLACE.includes(field))
    setDraft({ ...Object.fromEntries(place), ...(draftOf(rule) as DraftGroup) })
  }
  return (
    <Card title="New fault">
      <div class="buttons" role="group" aria-label="Presets">
        {PRESETS.map(({ name, about, rule }) => (
          <Button key={name} text={name} title={about} onClick={() => prepare(rule)} />
        ))}
      </div>
      <SchemaForm
        operation="addFault"
        label="New fault"
        verb="Inject"
        draft={draft}
        onChange={setDraft}
        onSubmit={(rule, noting) => attempt(noting(() => model.client.control('POST', '/faults', rule)))}
      />
    </Card>
  )
}
