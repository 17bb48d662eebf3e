import { useState } from 'preact/hooks'
import type { Fault } from '../api/types'
import { effectOf, NEW_FAULT, PRESETS } from '../model/fault'
import { type DraftGroup, draftOf } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Button, Card, Table } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'

/** Lists the faults with their counters, and adds new ones. */
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
  const { faults } = model
  const remove = (id = '') => attempt(() => model.client.control('DELETE', `/faults${id}`))
  return (
    <Card title="Faults">
      <Table
        label="Faults"
        columns={{ Operation: '', Effect: '', Hits: 'right', Seen: 'right', Actions: 'hidden' }}
        items={faults}
        empty="No faults."
        row={(fault) => (
          <tr key={fault.id} data-fault={fault.id}>
            <td>
              {fault.operation ?? 'any'} <Place fault={fault} />
            </td>
            <td>{effectOf(fault)}</td>
            <td class="right numbers">
              {fault.hits}
              {fault.times === undefined ? '' : ` of ${fault.times}`}
            </td>
            <td class="right numbers">{fault.seen}</td>
            <td class="right">
              <Button text="Remove" label={`Remove ${fault.id}`} onClick={() => remove(`/${fault.id}`)} />
            </td>
          </tr>
        )}
      />
      {faults.length === 0 ? null : (
        <>
          <p class="quiet">Hits: how often it fired. Seen: how many requests it matched.</p>
          <Button text="Remove all" onClick={remove} />
        </>
      )}
    </Card>
  )
}

/** Where a fault applies, if not everywhere. */
function Place({ fault: { workspace_id: workspace, workgroup_id: workgroup } }: { fault: Fault }) {
  const { model } = useApp()
  const names = [workspace, workgroup].filter((id) => id !== undefined).map((id) => model.nameOf(id) ?? id)
  return names.length === 0 ? null : <span class="quiet">on {names.join(' in ')}</span>
}

/** Where a fault applies, which a preset leaves alone. */
const PLACE = ['operation', 'workspace_id', 'workgroup_id']

/** Adds a fault, which a preset can prepare. */
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
