import { useState } from 'preact/hooks'
import { CallError, messageOf } from '../api/client'
import { type Outcome, useApp } from './app-context'

/** The snapshot that undo restores: the state before the last change of the sandbox as a whole. */
export const UNDO_SNAPSHOT = 'before-last-change'

const PATH = `/snapshots/${UNDO_SNAPSHOT}`

/**
 * Like `attempt`, for actions that move the clock or replace the sandbox: saves a snapshot first, and offers to undo
 * the action. Asks whether to go on if there can be no snapshot.
 */
export function useUndoable() {
  const { model, attempt, confirm } = useApp()
  const undo = async () => {
    await model.client.control('POST', `${PATH}/restore`)
    return 'The sandbox is as it was before.'
  }
  return async (action: () => Promise<Outcome>): Promise<boolean> => {
    try {
      await model.client.control('PUT', PATH)
    } catch (error) {
      const text = `The snapshot ${UNDO_SNAPSHOT} cannot be saved. ${messageOf(error)}`
      return (await confirm('Go on without undo?', text, 'Go on')) && (await attempt(action))
    }
    return attempt(async () => ({ ...(await action()), undo }))
  }
}

/** What is wrong with the fields of a form, by their paths in the body: each completes a sentence about the field. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Keeps what the server says about the fields of a form.
 * @returns the errors, a wrapper for the action of the form that notes them, and a function that sets them
 */
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
