import { useState } from 'preact/hooks'
import { findStop } from '../model/find-step'
import type { PastModel } from '../model/past'

/** Goes to the next step that has some words; with Shift, to the one before. */
export function FindStep({ model }: { model: PastModel }) {
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const find = (by: 1 | -1) => {
    const { recorded, stop } = model
    const found = findStop(recorded, text.trim(), { stop, nameOf: (id) => model.nameOf(id), by })
    setMissing(found === undefined)
    if (found !== undefined) model.goToStop(found)
  }
  return (
    <input
      type="search"
      class="find"
      placeholder="Find…"
      aria-label="Find a step"
      title={isMissing ? 'No step has these words.' : 'Enter: the next one; with Shift: the one before'}
      aria-invalid={isMissing}
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        setMissing(false)
      }}
      onKeyDown={({ key, shiftKey }) => {
        if (key === 'Enter' && text.trim() !== '') find(shiftKey ? -1 : 1)
      }}
    />
  )
}
