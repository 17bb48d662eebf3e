import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PastModel } from '../model/past'
import type { SandboxModel } from '../model/sandbox'

/** What an action returns: the server's message, and a function that takes it back, if that is possible. */
export interface Outcome {
  readonly message: string
  readonly undo?: () => Promise<string>
}

export interface App {
  readonly model: SandboxModel
  /** The same model, if it shows the past. */
  readonly past: PastModel | undefined
  /** Performs an action, and shows its outcome. @returns whether it succeeded */
  readonly attempt: (action: () => Promise<string | Outcome>) => Promise<boolean>
  /** Asks before an action that cannot be undone. @param verb on the button that confirms */
  readonly confirm: (title: string, text: string, verb: string) => Promise<boolean>
  readonly openKey: (key: string) => void
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  return useContext(AppContext)!
}

/** Disables controls while the server is away, and removes them from the past. */
export function Guard({ isOn = true, children }: { isOn?: boolean; children: ComponentChildren }) {
  const { model } = useApp()
  if (isOn && model.isPast) return null
  return (
    <fieldset class="guard" role="none" disabled={isOn && model.link === 'lost'}>
      {children}
    </fieldset>
  )
}
