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
  /** RequestIDs of the calls that match; undefined: the expectation is not met. */
  readonly matches?: readonly string[]
}

export function VerificationView() {
  const { model } = useApp()
  // The coverage lists all operations.
  const { value: coverage } = useReading<Coverage>(model, '/coverage')
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
          choices={{ operation: coverage?.operations.map(({ name }) => [name, name] as const) ?? [] }}
          onSubmit={async (expectation, noting) => {
            const call = noting(() => model.client.control<Verified>('POST', '/requests/verify', expectation))
            setOutcome(
              await call().then(
                ({ message, result }) => ({ message, matches: result.matches }),
                (error: unknown) => ({ message: messageOf(error) })
              )
            )
          }}
        />
      </Card>
      <section class="card" aria-label="Result" aria-live="polite">
        <h2>Result</h2>
        {outcome === undefined ? (
          <p class="quiet">Describe the call that you expect. The result says whether your client made it.</p>
        ) : (
          <>
            <p class={outcome.matches === undefined ? 'problem' : ''}>{outcome.message}</p>
            <RequestLinks ids={outcome.matches ?? []} />
          </>
        )}
      </section>
    </div>
  )
}
