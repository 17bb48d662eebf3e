import type { ComponentChildren } from 'preact'

/** A list of which the first items show, and the others when they are asked for. */
export function More<T>({
  items,
  shown,
  class: name,
  label,
  children
}: {
  items: readonly T[]
  shown: number
  class: string
  label?: string
  children: (item: T) => ComponentChildren
}) {
  const list = (some: readonly T[], of: string | undefined) => (
    <ul class={`plain ${name}`} aria-label={of}>
      {some.map((item, index) => (
        <li key={index}>{children(item)}</li>
      ))}
    </ul>
  )
  if (items.length <= shown) return list(items, label)
  return (
    <>
      {list(items.slice(0, shown), label)}
      <details>
        <summary>{items.length - shown} more</summary>
        {list(items.slice(shown), label === undefined ? undefined : `Further ${label.toLowerCase()}`)}
      </details>
    </>
  )
}
