import { useState } from 'preact/hooks'
import type { Quotas as QuotaValues, TransitionRule, Transitions } from '../api/types'
import { linkTo } from '../model/route'
import { type DraftGroup, draftOf, inWords } from '../model/schema-form'
import { dateTime, distance } from '../model/time'
import { useUndoable } from '../parts/actions'
import { useApp } from '../parts/app-context'
import { Button, Card, Pending, Table } from '../parts/blocks'
import { SchemaForm } from '../parts/schema-form'
import { useReading, useTick } from '../parts/use'

export function RulesView() {
  const { model } = useApp()
  useTick(500, model.clock?.mode === 'real')
  return (
    <div class="columns">
      <ClockSettings />
      <DueList />
      <TransitionRules />
      <Quotas />
    </div>
  )
}

const MAX_EVENTS = 30

function DueList() {
  const { model, attempt } = useApp()
  const { events } = model
  const held = events.filter((due) => due.held).length
  const release = () => attempt(() => model.client.control('POST', '/transitions/release', {}))
  return (
    <Card title="Scheduled events" count={events.length}>
      <Table
        label="Scheduled events"
        columns={{ When: 'numbers', Event: '', Workspace: '' }}
        items={events.slice(0, MAX_EVENTS)}
        empty="Nothing is scheduled."
        keyOf={({ event, resource_id: id }, index) => `${id} ${event} ${index}`}
        cells={({ due, event, resource_id: id }) => [
          due === null ? (
            <span class="held">held</span>
          ) : (
            <span title={dateTime(due)}>{distance(Date.parse(due), model.now())}</span>
          ),
          <code>{event}</code>,
          <a href={linkTo('overview', id)}>{model.nameOf(id) ?? id}</a>
        ]}
      />
      {events.length > MAX_EVENTS ? <p class="quiet">And {events.length - MAX_EVENTS} later ones.</p> : null}
      {held === 0 ? null : <Button text={`Release held events (${held})`} onClick={release} />}
    </Card>
  )
}

function Quotas() {
  const { value, error } = useReading<QuotaValues>('/quotas')
  if (value === undefined) return <Pending error={error} />
  return (
    <Card title="Quotas">
      <QuotaForm key={JSON.stringify(value)} quotas={value} />
    </Card>
  )
}

function QuotaForm({ quotas }: { quotas: QuotaValues }) {
  const { model } = useApp()
  const draft = useState(draftOf(quotas) as DraftGroup)
  return (
    <SchemaForm
      operation="setQuotas"
      label="Quotas"
      verb="Set quotas"
      draft={draft}
      call={(body) => {
        // Quotas in a call override those of its plan, so only changed ones are sent.
        const changed = Object.entries(body).filter(([name, value]) => value !== quotas[name as keyof QuotaValues])
        return model.client.control('PUT', '/quotas', Object.fromEntries(changed))
      }}
    />
  )
}

function ClockSettings() {
  const { model } = useApp()
  const draft = useState<DraftGroup>({})
  return (
    <Card title="Clock settings">
      <SchemaForm
        operation="setClock"
        label="Clock settings"
        verb="Set clock"
        draft={draft}
        call={(setting) => model.client.control('PUT', '/clock', setting)}
        show={useUndoable()}
      />
    </Card>
  )
}

const NEW_RULE = { transition: 'workspace.resume', outcome: 'fail', times: '1' }

function TransitionRules() {
  const { model, attempt } = useApp()
  const draft = useState<DraftGroup>(NEW_RULE)
  const { value, error } = useReading<Transitions>('/transitions')
  if (value === undefined) return <Pending error={error} />
  const { rules, transitions } = value
  const replace = (next: readonly TransitionRule[]) => model.client.control('PUT', '/transitions', { rules: next })
  return (
    <Card title="Transition rules">
      <Table
        label="Transition rules"
        columns={{ Rule: '', Actions: 'right' }}
        items={rules}
        empty="Every transition completes, and takes as long as the profile says."
        keyOf={(_, index) => `${index}`}
        cells={({ transition, ...rule }, index) => [
          <>
            <code>{transition}</code>
            <br />
            <small>{inWords(rule)}</small>
          </>,
          <Button
            text="Remove"
            label={`Remove the rule for ${transition}`}
            onClick={() => attempt(() => replace(rules.toSpliced(index, 1)))}
          />
        ]}
      />
      <h3>New rule</h3>
      <SchemaForm
        operation="replaceTransitionRules"
        part={{ path: `rules.${rules.length}`, of: ({ properties }) => properties!['rules']!.items! }}
        label="New transition rule"
        verb="Add"
        draft={draft}
        choices={{ transition: transitions.map(({ name }) => [name, name] as const) }}
        call={(rule) => replace([...rules, rule as TransitionRule])}
      />
    </Card>
  )
}
