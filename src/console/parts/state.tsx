import { statusClass } from '../model/requests'

/** The class for the colours of a state. With a profile, names of states may contain spaces. */
export const stateClass = (state: string) => `state-${state.replaceAll(' ', '-')}`

export function State({ name }: { name: string }) {
  return <span class={`state ${stateClass(name)}`}>{name}</span>
}

/** @param status HTTP status; null: no reply was sent */
export function Status({ status }: { status: number | null }) {
  return <span class={`status status-${statusClass(status)} code`}>{status ?? 'lost'}</span>
}
