import { survivors as ofAddresses } from './survivors/addresses.js'
import { survivors as ofBackups } from './survivors/backups.js'
import { survivors as ofControlRoutes } from './survivors/control-routes.js'
import { survivors as ofCredentials } from './survivors/credentials.js'
import { survivors as ofDb } from './survivors/db.js'
import { survivors as ofEngine } from './survivors/engine.js'
import { survivors as ofGuard } from './survivors/guard.js'
import { survivors as ofHttp } from './survivors/http.js'
import { survivors as ofInterface } from './survivors/interface.js'
import { survivors as ofIsolation } from './survivors/isolation.js'
import { survivors as ofJournal } from './survivors/journal.js'
import { survivors as ofLib } from './survivors/lib.js'
import { survivors as ofMask } from './survivors/mask.js'
import { survivors as ofMcp } from './survivors/mcp.js'
import { survivors as ofProfile } from './survivors/profile.js'
import { survivors as ofRecording } from './survivors/recording.js'
import { survivors as ofResources } from './survivors/resources.js'
import { survivors as ofSandboxes } from './survivors/sandboxes.js'
import { survivors as ofSchedules } from './survivors/schedules.js'
import { survivors as ofState } from './survivors/state.js'
import { survivors as ofTestControl } from './survivors/test-control.js'
import { survivors as ofTime } from './survivors/time.js'
import { survivors as ofWorkspaces } from './survivors/workspaces.js'

/** A mutant that no test notices, and why that is right. */
export interface Survivor {
  readonly file: string
  /** A part of the line that it changes. */
  readonly line: string
  /** What stands there instead. */
  readonly replacement: string
  readonly reason: string
}

/** Every mutant that is known to survive, by group. */
export const SURVIVORS: readonly Survivor[] = [
  ...ofWorkspaces,
  ...ofBackups,
  ...ofSchedules,
  ...ofTime,
  ...ofEngine,
  ...ofGuard,
  ...ofCredentials,
  ...ofAddresses,
  ...ofMask,
  ...ofIsolation,
  ...ofLib,
  ...ofDb,
  ...ofJournal,
  ...ofSandboxes,
  ...ofResources,
  ...ofState,
  ...ofTestControl,
  ...ofHttp,
  ...ofProfile,
  ...ofInterface,
  ...ofControlRoutes,
  ...ofRecording,
  ...ofMcp
]
