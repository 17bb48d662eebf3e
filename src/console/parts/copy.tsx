import { useApp } from './app-context'
import { Button } from './blocks'

/** Copies a text, or shows it if the browser refuses. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { attempt } = useApp()
  const copy = async () => {
    try {
      // The clipboard is undefined in a page from another machine without HTTPS.
      await navigator.clipboard.writeText(text)
    } catch {
      throw new Error(`The browser refuses to copy: ${text}`)
    }
    return 'Copied.'
  }
  return <Button text={label} onClick={() => attempt(copy)} />
}
