import { useState } from 'preact/hooks'
import { messageOf } from '../api/client'
import type { Coverage, Verified } from '../api/types'
import type { DraftGroup } from '../model/schema-form'
import { useApp } from '../parts/app-context'
import { Card } from '../parts/blocks'
import { RequestLinks } from '../parts/request-links'
import { SchemaForm } from '../parts/schema-form'
import { useReading } from '../parts/use'

interface Outcome {
  readonly message: string
  /** The calls that match; undefined: the expectation is not met. */
  readonly result?: Verified
}

export function VerificationView() {
  const { model } = useApp()
  // The coverage lists all operations.
  const { value: coverage } = useReading<Coverage>('/coverage')
  const draft = useState<DraftGroup>({})
  const [outcome, setOutcome] = useState<Outcome>()
  return (
    <div class="columns">
      <Card title="Verification">
        <SchemaForm
          operation="verifyRequests"
          label="Verification"
          verb="Verify"
          draft={draft}
          choices={{ operation: coverage?.operations.map(({ name }) => [name, name] as const) ?? [] }}
          call={(expectation) => model.client.control<Verified>('POST', '/requests/verify', expectation)}
          show={(verify) => verify().then(setOutcome, (error: unknown) => setOutcome({ message: messageOf(error) }))}
        />
      </Card>
      <section class="card" aria-label="Result" aria-live="polite">
        <h2>Result</h2>
        {outcome === undefined ? (
          <p class="quiet">Describe the call that you expect. The result says whether your client made it.</p>
        ) : (
          <>
            <p class={outcome.result === undefined ? 'problem' : ''}>{outcome.message}</p>
            <RequestLinks ids={outcome.result?.matches ?? []} />
          </>
        )}
      </section>
    </div>
  )
}
