import { useState } from 'preact/hooks'
import type { Fault } from '../api/types'
import { NEW_FAULT, PRESETS } from '../model/fault'
import { type DraftGroup, draftOf, inWords } from '../model/schema-form'
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
  const { value: faults, error } = useReading<readonly Fault[]>('/faults')
  if (faults === undefined) return <Pending error={error} />
  const remove = (id = '') => attempt(() => model.client.control('DELETE', `/faults${id}`))
  return (
    <Card title="Faults">
      <Table
        label="Faults"
        columns={{ Fault: '', Matched: 'right numbers', Fired: 'right numbers', Actions: 'right' }}
        items={faults}
        empty="No faults."
        keyOf={({ id }) => id}
        cells={({ id, operation, hits, seen, times, ...rule }) => [
          <>
            {operation ?? 'any operation'}
            <br />
            <small>{inWords(rule)}</small>
          </>,
          seen,
          times === undefined ? hits : `${hits} of ${times}`,
          <Button text="Remove" label={`Remove ${id}`} onClick={() => remove(`/${id}`)} />
        ]}
      />
      {faults.length === 0 ? null : <Button text="Remove all" onClick={() => remove()} />}
    </Card>
  )
}

function NewFault() {
  const { model } = useApp()
  const draft = useState(draftOf(NEW_FAULT) as DraftGroup)
  const prepare = (rule: object) => {
    const [present, change] = draft
    change({ ...present, phase: '', times: '', ...(draftOf(rule) as DraftGroup) })
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
        call={(rule) => model.client.control('POST', '/faults', rule)}
      />
    </Card>
  )
}
