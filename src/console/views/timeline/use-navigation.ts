import { useRef } from 'preact/hooks'
import { pan, type Sight, type TimeWindow, zoom } from '../../model/time-window'

/** Factor of one step of the zoom. */
export const ZOOM = 2
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

/** Pixels that a pointer moves before its click becomes a drag. */
const THRESHOLD = 4

/**
 * Handlers for an element whose drawings can be dragged sideways. A click at the end of a drag does nothing else.
 * @param onDrag receives the pixels since the last call
 */
function useDrag(onDrag: (pixels: number) => void) {
  const drag = useRef<{ x: number; hasMoved: boolean; isOver: boolean }>(undefined)
  const end = () => {
    if (drag.current !== undefined) drag.current.isOver = true
  }
  return {
    onPointerDown: ({ button, clientX, target }: PointerEvent) => {
      const canBegin = button === 0 && (target as Element).closest('svg') !== null
      drag.current = canBegin ? { x: clientX, hasMoved: false, isOver: false } : undefined
    },
    onPointerMove: ({ clientX, currentTarget, pointerId }: PointerEvent) => {
      const { current } = drag
      if (current === undefined || current.isOver) return
      const pixels = clientX - current.x
      if (!current.hasMoved) {
        if (Math.abs(pixels) < THRESHOLD) return
        // The drag goes on outside of the element.
        const element = currentTarget as Element
        element.setPointerCapture(pointerId)
        current.hasMoved = true
      }
      current.x = clientX
      onDrag(pixels)
    },
    onPointerUp: end,
    onPointerCancel: end,
    // Enter on a link is a click, too, but without a count.
    onClickCapture: (event: MouseEvent) => {
      if (drag.current?.hasMoved !== true || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
    },
    // The browser would drag the address of a link.
    onDragStart: (event: DragEvent) => event.preventDefault()
  }
}
