import { useState } from 'preact/hooks'
import { CallError, messageOf } from '../api/client'
import { type Outcome, useApp } from './app-context'

/** The snapshot that undo restores. */
export const UNDO_SNAPSHOT = 'before-last-change'

const PATH = `/snapshots/${UNDO_SNAPSHOT}`

/**
 * Like `attempt`, for actions that move the clock or replace the sandbox: first saves a snapshot, so that it can offer
 * undo. If that fails, asks whether to continue.
 */
export function useUndoable() {
  const { model, attempt, confirm } = useApp()
  const undo = async () => {
    await model.client.control('POST', `${PATH}/restore`)
    return 'The sandbox is as it was before the last change.'
  }
  return async (action: () => Promise<Outcome>): Promise<boolean> => {
    try {
      await model.client.control('PUT', PATH)
    } catch (error) {
      const text = `The snapshot ${UNDO_SNAPSHOT} cannot be saved. ${messageOf(error)}`
      return (await confirm('Continue without undo?', text, 'Continue')) && (await attempt(action))
    }
    return attempt(async () => ({ ...(await action()), undo }))
  }
}

/** Errors of fields by path in the body. Each completes a sentence that begins with the field's label. */
export type FieldErrors = Readonly<Record<string, string>>

/** @returns the errors of a form's fields, a wrapper that takes them from a failed call, and their setter */
export function useFieldErrors() {
  const [errors, setErrors] = useState<FieldErrors>({})
  const noting =
    <T>(action: () => Promise<T>) =>
    async (): Promise<T> => {
      setErrors({})
      try {
        return await action()
      } catch (error) {
        if (error instanceof CallError)
          setErrors(Object.fromEntries(error.details.map(({ FieldName, Reason }) => [FieldName, Reason])))
        throw error
      }
    }
  return [errors, noting, setErrors] as const
}
