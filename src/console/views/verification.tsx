import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Answer, CallError } from '../api/client'
import type { Verified } from '../api/types'
import type { DraftGroup } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Card } from '../parts/blocks'
import { RequestLinks } from '../parts/request-links'
import { SchemaForm } from '../parts/schema-form'

/** What came out of a verification. */
interface Outcome {
  readonly title: 'As expected' | 'Not as expected' | 'Not checked'
  readonly message: string
  /** RequestIDs of the calls that match, or nearly do. */
  readonly requests: readonly string[]
}

/** Checks that the client called the interface as expected. */
export function VerificationView() {
  const { model } = useApp()
  useEffect(() => model.askForCoverage(), [model])
  // The coverage lists all operations.
  const operations = useMemo(
    () => (model.coverage?.operations ?? []).map(({ name }) => [name, name] as const),
    [model.coverage]
  )
  const [draft, setDraft] = useState<DraftGroup>({})
  const [outcome, setOutcome] = useState<Outcome>()
  return (
    <div class="columns">
      <Card title="Verification">
        <SchemaForm
          operation="verifyRequests"
          label="Verification"
          verb="Verify"
          draft={draft}
          onChange={setDraft}
          choices={{ operation: operations }}
          onUnreadable={() =>
            setOutcome({ title: 'Not checked', message: 'The marked fields must be JSON.', requests: [] })
          }
          onSubmit={async (expectation, noting) => {
            const call = noting(() => model.client.control<Verified>('POST', '/requests/verify', expectation))
            setOutcome(await call().then(toOutcome, toFailure))
          }}
        />
      </Card>
      <section class="card" aria-label="Answer" aria-live="polite">
        <h2>{outcome?.title ?? 'Answer'}</h2>
        {outcome === undefined ? (
          <p class="quiet">Choose the call that you expect. The requests in the journal are compared with it.</p>
        ) : (
          <>
            <p class={outcome.title === 'As expected' ? '' : 'problem'}>{outcome.message}</p>
            <RequestLinks ids={outcome.requests} />
          </>
        )}
      </section>
    </div>
  )
}

const toOutcome = ({ message, result }: Answer<Verified>): Outcome => ({
  title: 'As expected',
  message,
  requests: result.matches
})

function toFailure(error: unknown): Outcome {
  if (!(error instanceof CallError)) throw error
  const { status, message, details } = error
  // An expectation that is not valid names its fields, and one that is not met does not.
  const isUnmet = status === 400 && details.every(({ FieldName }) => FieldName === '')
  return {
    title: isUnmet ? 'Not as expected' : 'Not checked',
    message,
    // The server's reasons name the calls that nearly match.
    requests: details.flatMap(({ Reason }) => /^in (.+?), /.exec(Reason)?.[1] ?? [])
  }
}
