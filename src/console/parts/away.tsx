import { useApp } from './app-context'

/** Says that the server is away. */
export function Away() {
  const { model } = useApp()
  if (model.link !== 'lost') return null
  return (
    <p class="away" role="alert">
      The server is away.{' '}
      {model.isLoaded
        ? 'You see its last known state, and can change nothing until it is back.'
        : 'The sandbox shows as soon as it is back.'}
    </p>
  )
}
