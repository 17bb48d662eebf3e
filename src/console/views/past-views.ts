import type { View } from '../frame'
import { CausesView } from './causes'
import { DifferencesView } from './differences'
import { MomentView } from './moment'
import { OverviewView } from './overview'
import { RequestsView } from './requests'
import { TimelineView } from './timeline'

/** The views of a moment of a recording. */
export const PAST_VIEWS: readonly View[] = [
  ['overview', 'Overview', OverviewView],
  ['timeline', 'Timeline', TimelineView],
  ['requests', 'Requests', RequestsView],
  ['state', 'State', MomentView],
  ['differences', 'Differences', DifferencesView],
  ['causes', 'What led here', CausesView]
]
