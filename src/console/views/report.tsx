import { groupBy } from '../../lib/group-by'
import type { Report } from '../api/types'
import { labelOf } from '../model/schema-form'
import { Card, Items, Pending } from '../parts/blocks'
import { RequestLinks } from '../parts/request-links'
import { Resource } from '../parts/resource'
import { useReading } from '../parts/use'

export function ReportView() {
  const { value: report, error } = useReading<Report>('/report')
  if (report === undefined) return <Pending error={error} />
  return (
    <div class="columns">
      <Card title="Findings" count={report.findings.length}>
        <Items
          items={[...groupBy(report.findings, ({ rule }) => rule)]}
          empty="No request in the journal would cause trouble with a real service."
          class="chain"
          label="Findings"
        >
          {([rule, findings]) => (
            <>
              <h3>
                {labelOf(rule)} {findings.length === 1 ? null : <span class="quiet">×{findings.length}</span>}
              </h3>
              <Items items={[...groupBy(findings, ({ message }) => message)]} shown={3} class="chain">
                {([message, equal]) => (
                  <>
                    <p>{message}</p>
                    <RequestLinks ids={equal.flatMap(({ requests }) => requests)} />
                  </>
                )}
              </Items>
            </>
          )}
        </Items>
      </Card>
      <Card title="Left behind">
        <Items
          items={report.left_behind}
          empty="Nothing that a test should clean up."
          class="chain"
          label="Left behind"
        >
          {({ kind, message, ids }) => (
            <>
              <h3>
                {labelOf(kind)} <span class="quiet">{ids.length}</span>
              </h3>
              <p>{message}</p>
              <Items items={ids} shown={20} class="links inline-list">
                {(id) => <Resource id={id} />}
              </Items>
            </>
          )}
        </Items>
      </Card>
    </div>
  )
}
