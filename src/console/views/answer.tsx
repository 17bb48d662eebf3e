import type { FunctionComponent } from 'preact'
import { groupBy } from '../../lib/group-by'
import type { Coverage, Fault, Quotas, Report, Transitions } from '../api/types'
import { linkTo } from '../model/route'
import { labelOf } from '../model/schema-form'
import { dateTime, distance } from '../model/time'
import { useApp } from '../parts/app-context'
import { useReading, useTick } from '../parts/use'

const ANSWERS: Readonly<Record<string, FunctionComponent>> = {
  Overview: LeftBehind,
  Requests: Failed,
  Time: Next,
  'Test control': InForce,
  Coverage: Exercised
}

/** Answers the question of a section of the rail in a line, above its lists. */
export function Answer({ section }: { section: string }) {
  const Line = ANSWERS[section]!
  return (
    <section class="bar" aria-label="In short">
      <Line />
    </section>
  )
}

/** @param value undefined while it is being read; parts of 0 are left out */
type Part = readonly [name: string, value: number | string | undefined]

/** @param view to see more @param parts undefined while they are being read */
function Short({ title, view, parts }: { title: string; view: string; parts: readonly Part[] | undefined }) {
  return (
    <>
      <a href={linkTo(view)}>{title}</a>
      {parts?.map(([name, value = 0]) =>
        value === 0 ? null : (
          <span key={name}>
            {name} <b class="numbers">{value}</b>
          </span>
        )
      )}
      {parts?.every(([, value]) => value === 0) === true ? <b>nothing</b> : null}
    </>
  )
}

const countsOf = (names: readonly string[]): readonly Part[] =>
  [...groupBy(names, (name) => name)].map(([name, { length }]) => [name, `×${length}`])

function LeftBehind() {
  const left = useReading<Report>('/report').value?.left_behind
  return <Short title="Left behind" view="report" parts={left?.map(({ kind, ids }) => [labelOf(kind), ids.length])} />
}

function Failed() {
  const failed = useApp().model.requests.filter(({ status }) => status === null || status >= 400)
  const findings = useReading<Report>('/report').value?.findings
  return (
    <>
      <Short title="Failed" view="requests" parts={countsOf(failed.map(({ status }) => `${status ?? 'lost'}`))} />
      <Short title="Findings" view="report" parts={findings && countsOf(findings.map(({ rule }) => labelOf(rule)))} />
    </>
  )
}

function Next() {
  const { model } = useApp()
  const { events, next } = model
  useTick(500, model.clock?.mode === 'real')
  const held = events.filter((event) => event.held).length
  const later: Part = ['Later', events.length - held - (next === undefined ? 0 : 1)]
  const first = ({ due, event, resource_id: id }: NonNullable<typeof next>): Part => [
    `${event} of ${model.nameOf(id) ?? id}`,
    `${distance(Date.parse(due), model.now())}, at ${dateTime(due)}`
  ]
  return <Short title="Next" view="rules" parts={[...(next ? [first(next)] : []), later, ['Held', held]]} />
}

function InForce() {
  const faults = useReading<readonly Fault[]>('/faults').value
  const quotas = useReading<Quotas>('/quotas').value
  const parts: Part[] = [
    ['Faults', faults?.filter(({ hits, times = Infinity }) => hits < times).length],
    ['Transition rules', useReading<Transitions>('/transitions').value?.rules.length],
    ['Quotas', quotas && Object.values(quotas).filter((quota) => quota !== null).length]
  ]
  return <Short title="In force" view="faults" parts={parts} />
}

function Exercised() {
  const summary = useReading<Coverage>('/coverage').value?.summary
  const parts = (['operations', 'transitions', 'errors'] as const).map((name): Part => {
    const { exercised, total } = summary?.[name] ?? {}
    return [labelOf(name), total && `${exercised} of ${total}`]
  })
  return <Short title="Exercised" view="coverage" parts={parts} />
}
