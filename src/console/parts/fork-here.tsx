import { useState } from 'preact/hooks'
import type { Client } from '../api/client'
import type { PastModel } from '../model/past'
import { useApp } from './app-context'
import { Button } from './blocks'

/** Makes a sandbox of the moment that is shown. */
export function ForkHere({ past, client }: { past: PastModel; client: Client }) {
  const { attempt, openKey } = useApp()
  const [fork, setFork] = useState<{ key: string; step: number }>()
  const make = () =>
    attempt(async () => {
      const {
        state,
        shown: { step }
      } = past
      const { result } = await client.control<{ key: string }>('POST', '/sandboxes', { from: 'baseline' })
      await client.control('PUT', '/state', state, result.key)
      setFork({ key: result.key, step })
      return `A new sandbox is as this one was after step ${step}.`
    })
  return (
    <>
      <Button text="Fork from here" onClick={make} />
      {fork === undefined ? null : (
        <Button text={`Open the fork of step ${fork.step}`} title={fork.key} onClick={() => openKey(fork.key)} />
      )}
    </>
  )
}
