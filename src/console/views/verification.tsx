import { useState } from 'preact/hooks'
import { CallError } from '../api/client'
import type { Verified } from '../api/types'
import { ANY_CALL, type ExpectationDraft, expectationOf, nearMisses, unreadable } from '../model/expectation'
import { useApp } from '../parts/app-context'
import { RequestLinks } from '../parts/request-links'
import { useFieldErrors } from '../parts/use-field-errors'
import { ExpectationForm } from './verification/expectation-form'

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
  const [draft, setDraft] = useState<ExpectationDraft>({ calls: [ANY_CALL], exactly: '', atLeast: '', atMost: '' })
  const [errors, noting, setErrors] = useFieldErrors()
  const [outcome, setOutcome] = useState<Outcome>()
  const verify = async () => {
    const problems = unreadable(draft)
    if (Object.keys(problems).length > 0) {
      setErrors(problems)
      setOutcome({ title: 'Not checked', message: 'The marked fields must be JSON.', requests: [] })
      return
    }
    const call = noting(() => model.client.control<Verified>('POST', '/requests/verify', expectationOf(draft)))
    setOutcome(await call().then(toOutcome, toFailure))
  }
  return (
    <div class="columns">
      <ExpectationForm draft={draft} errors={errors} onChange={setDraft} onSubmit={() => void verify()} />
      <section class="card" aria-labelledby="outcome-title" aria-live="polite">
        <h2 id="outcome-title">{outcome?.title ?? 'Answer'}</h2>
        {outcome === undefined ? (
          <p class="quiet">Say which call you expect. The requests in the journal are compared with it.</p>
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

const toOutcome = ({ message, result }: { message: string; result: Verified }): Outcome => ({
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
    requests: nearMisses(details.map(({ Reason }) => Reason))
  }
}
