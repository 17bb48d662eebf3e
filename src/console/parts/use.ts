import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import { CallError, messageOf } from '../api/client'
import { Coalesced } from '../model/coalesce'
import type { SandboxModel } from '../model/sandbox'
import { useApp } from './app-context'

/** Redraws the component when the model changes. */
export function useModel(model: SandboxModel): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  // Unlike `useEffect`, before painting, so that it misses no change.
  useLayoutEffect(() => model.subscribe(() => draw(undefined)), [model])
}

/** Redraws the component at an interval. */
export function useTick(milliseconds: number, isOn: boolean): void {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => draw(undefined), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds, isOn])
}

interface Reading<T> {
  readonly value?: T
  readonly error?: string
}

/**
 * Reads a path from the control API, and again after each change in the sandbox. While the server is away, the value
 * stays.
 * @param path stays, too: a component for another path needs another `key`
 */
export function useReading<T>(path: string): Reading<T> {
  const { model } = useApp()
  const [reading, setReading] = useState<Reading<T>>({})
  const [job] = useState(
    () =>
      new Coalesced(async () => {
        try {
          setReading({ value: await model.read<T>(path) })
        } catch (error) {
          const isAway = error instanceof CallError && error.status === 0
          setReading((last) => (isAway && last.value !== undefined ? last : { error: messageOf(error) }))
        }
      })
  )
  const isFirst = reading.value === undefined && reading.error === undefined
  useEffect(() => job.request(isFirst ? 0 : 150), [model.changes])
  useEffect(() => () => job.stop(), [])
  return reading
}

/** Loads all requests, if they are needed. @returns whether some are still missing */
export function useAllRequests(isNeeded: boolean): boolean {
  const { model } = useApp()
  const isCut = isNeeded && model.areRequestsCut
  useEffect(() => {
    if (isCut) model.loadAll()
  })
  return isCut
}

/** A set of items, and functions that add or remove one, and that remove all */
export type Toggles = readonly [items: ReadonlySet<string>, toggle: (item: string) => void, clear: () => void]

export function useToggles(): Toggles {
  const [items, setItems] = useState<ReadonlySet<string>>(new Set())
  const toggle = (item: string) => {
    const next = new Set(items)
    if (!next.delete(item)) next.add(item)
    setItems(next)
  }
  return [items, toggle, () => setItems(new Set())]
}

/** @returns a ref for an element, and its inner size in pixels */
export function useSize() {
  const element = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const target = element.current!
    const observer = new ResizeObserver(() => setSize({ width: target.clientWidth, height: target.clientHeight }))
    observer.observe(target)
    return () => observer.disconnect()
  }, [])
  return [element, size] as const
}
