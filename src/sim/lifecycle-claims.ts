import type { Claims, FactKey } from '../interface/assumption.js'
import type { StateTable, Transition } from './state-machine.js'

/** An assumption for each state. @param kind such as `workspace` */
export function stateClaims(kind: string, states: StateTable): Claims {
  return Object.fromEntries(
    Object.entries(states).map(([state, { id, meaning }]) => [
      id,
      {
        says: `A ${kind.replace('_', ' ')} can be ${quoted(state)}: ${meaning}.`,
        about: [{ aspect: 'state', subject: `${kind} ${state}` }]
      }
    ])
  )
}

/** Two assumptions for each transition: its states, and how long it takes. */
export function transitionClaims(transitions: readonly Transition[]): Claims {
  return Object.assign({}, ...transitions.map(claimsOf)) as Claims
}

function claimsOf(transition: Transition): Claims {
  const { id, durationId, name, operation, duration } = transition
  const ofOperation: FactKey[] =
    operation === undefined
      ? []
      : [
          { aspect: 'status', operation },
          { aspect: 'status', operation, condition: 'notAllowed' },
          { aspect: 'error type', operation, condition: 'notAllowed' }
        ]
  const seconds = (milliseconds: number) => milliseconds / 1000
  return {
    [id]: {
      says: `\`${name}\` ${inWords(transition)}.`,
      about: [{ aspect: 'transition', subject: name }, ...ofOperation]
    },
    [durationId]: {
      says:
        `\`${name}\` takes ${seconds(duration.instant)}, ${seconds(duration.fast)} or ${seconds(duration.realistic)} ` +
        'seconds, as `--transitions` says.',
      about: [{ aspect: 'duration', subject: name }]
    }
  }
}

function inWords({ trigger, from, noopFrom, during, to, failsTo }: Transition): string {
  const start = from.length === 0 ? 'starts with the resource' : `starts in ${list(from)}, and is a 400 elsewhere`
  const noop = noopFrom.length === 0 ? '' : `, but changes nothing in ${list(noopFrom)}`
  const end = to.length === 0 ? 'the end of the resource' : list(to)
  return `(${trigger}) ${start}${noop}. It leads through \`${during}\` to ${end}, and to \`${failsTo}\` if it fails`
}

const list = (states: readonly string[]) => states.map(quoted).join(' or ')

/** A state in Markdown; one is the empty text. */
const quoted = (state: string) => (state === '' ? 'empty' : `\`${state}\``)
