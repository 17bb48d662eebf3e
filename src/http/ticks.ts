import { executionAsyncResource } from 'node:async_hooks'

let kept: object | undefined

/**
 * Keeps one of the objects with which `process.nextTick()` queues its callbacks. If none is alive during a garbage
 * collection, as happens soon after startup, V8 forgets their shape: each of a request's nine ticks then costs four
 * times as much.
 */
export function keepTicksFast(): void {
  process.nextTick(() => {
    kept ??= executionAsyncResource()
  })
}
