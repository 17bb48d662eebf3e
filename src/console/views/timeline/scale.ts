import { ticksOf, type TimeWindow } from '../../model/time-window'

/** Height of a lane in pixels, and where in it the bars and their texts are. */
export const LANE_HEIGHT = 30
export const BAR_TOP = 4
export const BAR_HEIGHT = 20
export const TEXT_TOP = 18

/** How times become pixels. */
export interface Scale {
  readonly view: TimeWindow
  readonly now: number
  /** Width of a lane in pixels. */
  readonly width: number
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  readonly x: (time: number) => number
}

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
