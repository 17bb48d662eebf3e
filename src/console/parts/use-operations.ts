import { useEffect, useMemo } from 'preact/hooks'
import { useApp } from './app-context'

/** Names of all operations, for a choice. The coverage lists them. */
export function useOperations(): readonly (readonly [value: string, name: string])[] {
  const { model } = useApp()
  useEffect(() => model.askForCoverage(), [model])
  return useMemo(() => (model.coverage?.operations ?? []).map(({ name }) => [name, name] as const), [model.coverage])
}
