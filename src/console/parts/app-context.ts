import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PastModel } from '../model/past'
import type { SandboxModel } from '../model/sandbox'

export interface Question {
  readonly title: string
  readonly text: string
  /** Label of the button that confirms. */
  readonly verb: string
}

/** Outcome of an action that can be undone. */
export interface Undoable {
  readonly text: string
  readonly undo: () => Promise<string>
}

/** Shared by all views. */
export interface App {
  readonly model: SandboxModel
  /** The same, if it shows a recording. */
  readonly past: PastModel | undefined
  /** Tries an action that the server may refuse, and shows its outcome. @returns whether it succeeded */
  readonly attempt: (action: () => Promise<string | Undoable>) => Promise<boolean>
  /** Asks before an action that cannot be undone. */
  readonly confirm: (question: Question) => Promise<boolean>
  /** Opens another sandbox. */
  readonly openKey: (key: string) => void
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  return useContext(AppContext)!
}
