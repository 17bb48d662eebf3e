import { useApp } from './app-context'
import { Button } from './blocks'

/** Copies a text, or shows it where the browser gives no access to the clipboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { attempt } = useApp()
  const copy = async () => {
    try {
      // Undefined in a page from another machine without HTTPS.
      await navigator.clipboard.writeText(text)
    } catch {
      throw new Error(`The browser does not let this page copy: ${text}`)
    }
    return 'Copied.'
  }
  return <Button text={label} onClick={() => attempt(copy)} />
}
