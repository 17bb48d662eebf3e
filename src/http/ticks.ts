import { executionAsyncResource } from 'node:async_hooks'

let kept: object | undefined

/**
 * Keeps one of the objects with which `process.nextTick()` queues its callbacks. If none of them is alive during a
 * garbage collection, V8 forgets their shape. That happens soon after startup; from then on each tick would cost four
 * times as much, and a request has nine of them.
 */
export function keepTicksFast(): void {
  process.nextTick(() => {
    kept ??= executionAsyncResource()
  })
}
