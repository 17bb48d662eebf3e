import { statusClass } from '../model/requests'
import { stateOf, type Words } from '../model/state-of'
import { useApp } from './app-context'

/** A state in the words of the profile, with the colours of the built-in one. */
export function State({ name, kind }: { name: string; kind?: keyof Words }) {
  const { model } = useApp()
  return <span class={`state state-${stateOf(model.about!.states, name, kind)}`}>{name}</span>
}

/** @param status HTTP status; null: no reply was sent */
export function Status({ status }: { status: number | null }) {
  return <span class={`status status-${statusClass(status)} code`}>{status ?? 'lost'}</span>
}
