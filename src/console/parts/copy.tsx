import { useState } from 'preact/hooks'
import { useApp } from './app-context'
import { Button, Dialog, Json } from './blocks'

/** Copies a text, or shows it where the browser gives no access to the clipboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { attempt } = useApp()
  const [isShown, setShown] = useState(false)
  const copy = async () => {
    try {
      // Undefined in a page from another machine without HTTPS.
      await navigator.clipboard.writeText(text)
    } catch {
      setShown(true)
      return
    }
    await attempt(() => Promise.resolve('Copied.'))
  }
  return (
    <>
      <Button text={label} onClick={copy} />
      {isShown ? (
        <Dialog title={label} onClose={() => setShown(false)}>
          <Json value={text} label="Text to copy" />
        </Dialog>
      ) : null}
    </>
  )
}
