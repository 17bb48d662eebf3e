import type { View } from '../frame'
import { CausesView } from './causes'
import { DifferencesView } from './differences'
import { MomentView } from './moment'
import { OverviewView } from './overview'
import { RequestsView } from './requests'
import { TimelineView } from './timeline'

/** The views of a moment of a recording. */
export const PAST_VIEWS: readonly View[] = [
  ['Overview', 'overview', 'Overview', OverviewView],
  ['Requests', 'requests', 'Requests', RequestsView],
  ['Time', 'timeline', 'Timeline', TimelineView],
  ['State', 'state', 'Document', MomentView],
  ['State', 'differences', 'Differences', DifferencesView],
  ['State', 'causes', 'What led here', CausesView]
]
