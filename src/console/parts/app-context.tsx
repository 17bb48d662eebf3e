import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PastModel } from '../model/past'
import type { SandboxModel } from '../model/sandbox'

/** Outcome of an action: what the server says, and what takes it back if that is possible. */
export interface Outcome {
  readonly message: string
  readonly undo?: () => Promise<string>
}

/** Shared by all views. */
export interface App {
  readonly model: SandboxModel
  /** The same, if it shows a recording. */
  readonly past: PastModel | undefined
  /** Tries an action that the server may refuse, and shows its outcome. @returns whether it succeeded */
  readonly attempt: (action: () => Promise<string | Outcome>) => Promise<boolean>
  /** Asks before an action that cannot be undone. @param verb on the button that confirms */
  readonly confirm: (title: string, text: string, verb: string) => Promise<boolean>
  /** Opens another sandbox. */
  readonly openKey: (key: string) => void
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  return useContext(AppContext)!
}

/** Disables the controls in it while the server is away. There are none in the past. */
export function Guard({ isOn = true, children }: { isOn?: boolean; children: ComponentChildren }) {
  const { model } = useApp()
  if (isOn && model.isPast) return null
  return (
    <fieldset class="guard" role="none" disabled={isOn && model.link === 'lost'}>
      {children}
    </fieldset>
  )
}
