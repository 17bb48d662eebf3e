import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SandboxModel } from '../model/sandbox'

export interface Question {
  readonly title: string
  readonly text: string
  /** What the button says that does it. */
  readonly verb: string
}

/** What every view can use. */
export interface App {
  readonly model: SandboxModel
  /** Does something that the server may refuse, and tells the reader what came of it. @returns whether it was done */
  readonly attempt: (action: () => Promise<string>) => Promise<boolean>
  /** Asks before something that cannot be taken back. */
  readonly confirm: (question: Question) => Promise<boolean>
  /** Goes to another sandbox. */
  readonly openKey: (key: string) => void
}

export const AppContext = createContext<App | undefined>(undefined)

export function useApp(): App {
  return useContext(AppContext)!
}
