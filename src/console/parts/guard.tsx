import type { ComponentChildren } from 'preact'
import { useApp } from './app-context'

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
