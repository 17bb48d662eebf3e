import { refused, section } from '../../interface/assumption.js'
import { stateClaims, transitionClaims } from '../../sim/lifecycle-claims.js'
import { BACKUP } from '../backups/lifecycle.js'
import { TRANSITIONS } from '../states.js'
import { AUTO_STOP, REFRESH, REFRESH_STATES, WORKSPACE_STATES, WORKSPACE_TRANSITIONS } from './lifecycle.js'

/** An update that the state of the workspace forbids. */
const refusedUpdate = refused('notAllowed', 'updateWorkspace')

/** From "Workspace states" to "Refresh". */
export const WORKSPACE_ASSUMPTIONS = [
  section(
    'Workspace states',
    'a [profile](profiles.md#names-states-omit), or a state document for one workspace; otherwise `WORKSPACE_STATES`.',
    {
      'P-111': {
        says: 'There are no other states; the same goes for a refresh, a backup and a restore job.',
        about: [{ aspect: 'state' }]
      }
    },
    stateClaims('workspace', WORKSPACE_STATES)
  ),
  section(
    'Transitions',
    '`--transitions`, a [profile](profiles.md#durations) or a [rule](test-control.md#transition-rules); otherwise ' +
      '`WORKSPACE_TRANSITIONS`, `REFRESH` and `BACKUP` in the lifecycles.',
    {
      'P-128': {
        says: 'No state changes without one of these transitions, and nothing else begins by itself.',
        about: [{ aspect: 'transition' }]
      },
      'P-129': {
        says: 'How long a transition takes does not depend on the workspace.',
        about: [{ aspect: 'duration' }]
      },
      'P-130': {
        says:
          'A paused workspace is Idle with `enable_auto_start`, otherwise Stopped. A failed resize leaves the old ' +
          'size.',
        about: [{ aspect: 'transition', subject: WORKSPACE_TRANSITIONS.pause.name }]
      },
      'P-131': {
        says:
          '`workspace.refresh` is about `refresh_status`, `backup.run` about the status of a backup. Both start in ' +
          'an Active workspace, and do not change its state.',
        about: [
          { aspect: 'transition', subject: REFRESH.name },
          { aspect: 'transition', subject: BACKUP.name }
        ]
      }
    },
    transitionClaims(TRANSITIONS)
  ),
  section('Workspace behaviour', '`src/resources/workspaces/transitions.ts`.', {
    'P-132': {
      says:
        'Deleting a workspace interrupts everything that runs on it. At the end its backups, restore jobs, ' +
        'schedules and users go with it, and every read is a 404.'
    },
    'P-133': {
      says:
        'Settings (name, auto-stop, auto-start, add-ons, agent) can be updated in any state but Terminating, and ' +
        'change at once.',
      about: refusedUpdate
    },
    'P-134': {
      says:
        'A size change (another type or `enable_ha`) takes effect at once in Stopped and Idle, and is a transition ' +
        'in Active. In any other state, and on any read-only workspace, it is a 400.',
      about: [{ aspect: 'transition', subject: WORKSPACE_TRANSITIONS.resize.name }, ...refusedUpdate]
    },
    'P-135': {
      says:
        '`pause` in an update that asks for the present or coming state changes nothing, so a client may send all ' +
        'its settings. Otherwise it is judged after the size change: a resize together with `pause: true` in an ' +
        'Active workspace is a 400, unless the resize takes no time. An update takes effect as a whole or not at ' +
        'all.',
      about: refusedUpdate
    },
    'P-136': {
      says: 'Changing `enable_auto_start` of a Stopped or Idle workspace counts from the next pause.'
    },
    'P-137': {
      says:
        'Auto-stop pauses a workspace `auto_stop_minutes` after it became Active or last saw data-plane activity, ' +
        'which only [the control API](test-control.md#backups-and-activity) simulates. A new value counts from the ' +
        'same moment; if that time is over, the workspace is paused at once.',
      about: [
        { aspect: 'transition', subject: AUTO_STOP.name },
        { aspect: 'duration', subject: AUTO_STOP.name }
      ]
    }
  }),
  section(
    'Refresh',
    'a [rule](test-control.md#transition-rules) for the outcome; otherwise `REFRESH`.',
    {
      'P-142': {
        says:
          'If another transition of the workspace starts, `refresh_status` becomes `Failed`, and `refresh_message` ' +
          'names the transition.',
        about: [{ aspect: 'value', schema: 'Workspace', field: 'refresh_message' }]
      },
      'P-143': {
        says: 'A read-write workspace can be refreshed too; it has no `snapshot_time`. Public pages rule that out.',
        about: [
          { aspect: 'field', schema: 'Workspace', field: 'snapshot_time' },
          { aspect: 'status', operation: 'refreshWorkspace' }
        ]
      }
    },
    stateClaims('refresh', REFRESH_STATES)
  )
]
