import { useState } from 'preact/hooks'
import { CallError } from '../api/client'

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
