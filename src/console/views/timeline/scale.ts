import { linkTo } from '../../model/route'
import { ticksOf, type TimeWindow } from '../../model/time-window'

/** Height of a lane in pixels. */
export const LANE_HEIGHT = 30

/** How times become pixels. */
export interface Scale {
  readonly view: TimeWindow
  readonly now: number
  /** Width of a lane in pixels. */
  readonly width: number
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  readonly x: (time: number) => number
}

/** Where the record of a request is, beside the timeline. */
export const recordOf = (request: string) => linkTo('timeline', request)

export function scaleOf(view: TimeWindow, now: number, width: number): Scale {
  const { begin, end } = view
  return {
    view,
    now,
    width,
    ticks: ticksOf(view, Math.max(2, width / 90)),
    x: (time) => ((time - begin) / (end - begin)) * width
  }
}
