import { useRef } from 'preact/hooks'

/** Pixels that a pointer moves before its click becomes a drag. */
const THRESHOLD = 4

interface Drag {
  x: number
  hasMoved: boolean
  isOver: boolean
}

/**
 * Handlers for an element whose drawings can be dragged sideways. A click at the end of a drag does nothing else.
 * @param onDrag receives the pixels since the last call
 */
export function useDrag(onDrag: (pixels: number) => void) {
  const drag = useRef<Drag | undefined>(undefined)
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
        current.hasMoved = true
        // The drag goes on outside of the element.
        const element = currentTarget as Element
        element.setPointerCapture(pointerId)
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
