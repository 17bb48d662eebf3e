import type { Section } from '../frame'
import { CausesView } from './causes'
import { DifferencesView } from './differences'
import { MomentView } from './moment'
import { OverviewView } from './overview'
import { RequestsView } from './requests'
import { TimelineView } from './timeline'

/** The views of a moment of a recording. */
export const PAST_SECTIONS: readonly Section[] = [
  ['Overview', [['overview', 'Overview', OverviewView]]],
  ['Requests', [['requests', 'Requests', RequestsView]]],
  ['Time', [['timeline', 'Timeline', TimelineView]]],
  [
    'State',
    [
      ['state', 'Document', MomentView],
      ['differences', 'Differences', DifferencesView],
      ['causes', 'What led here', CausesView]
    ]
  ]
]
