import { pan, type Sight, type TimeWindow, zoom } from '../../model/time-window'
import { ZOOM } from './controls'
import { useDrag } from './use-drag'

/** Share of the window that an arrow key moves it by. */
const STEP = 0.1
/** Zoom per pixel of the wheel. */
const WHEEL = 0.002
/** Pixels of a line, for wheels that count lines. */
const LINE = 16

/**
 * Handlers that move and zoom a window: dragging, the wheel and keys.
 * @param width of the window in pixels
 */
export function useNavigation(view: TimeWindow, width: number, onSight: (sight: Sight) => void) {
  const span = view.end - view.begin
  const move = (pixels: number) => onSight(pan(view, (pixels / width) * span))
  const drag = useDrag((pixels) => move(-pixels))
  const onWheel = (event: WheelEvent) => {
    const { ctrlKey, metaKey, deltaX, deltaY, deltaMode, clientX } = event
    const unit = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE
    if (ctrlKey || metaKey) {
      const { left } = (event.currentTarget as Element).querySelector('.axis svg')!.getBoundingClientRect()
      const at = Math.min(Math.max((clientX - left) / width, 0), 1)
      onSight(zoom(view, Math.exp(deltaY * unit * WHEEL), at))
    } else if (Math.abs(deltaX) > Math.abs(deltaY)) move(deltaX * unit)
    // Otherwise it scrolls through the lanes.
    else return
    event.preventDefault()
  }
  const keys: Readonly<Record<string, () => TimeWindow>> = {
    ArrowLeft: () => pan(view, -span * STEP),
    ArrowRight: () => pan(view, span * STEP),
    '+': () => zoom(view, 1 / ZOOM),
    '-': () => zoom(view, ZOOM)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keys[event.key]
    // With these, the keys are the browser's.
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onSight(next())
  }
  return { onKeyDown, handlers: { ...drag, onWheel } }
}
