import { sendable, whyNotSendable } from '../../api/repeat'
import type { RequestRecord } from '../../api/types'
import { linkTo } from '../../model/route'
import { useApp } from '../../parts/app-context'
import { CopyButton } from '../../parts/copy'
import { Guard } from '../../parts/guard'

/** Sends a recorded request again, or takes it elsewhere. */
export function Again({
  request,
  isValid,
  of
}: {
  request: NonNullable<RequestRecord['request']>
  isValid: boolean
  of: string | undefined
}) {
  const { model, attempt } = useApp()
  const call = sendable(request, model.names)
  const obstacle = whyNotSendable(request, isValid)
  const send = () =>
    attempt(async () => {
      const { status, id } = await model.client.repeat(call)
      if (id !== null) location.hash = linkTo('requests', id, of)
      return `The request was sent again: ${status}.`
    })
  return (
    <>
      <div class="buttons">
        <Guard>
          <button type="button" disabled={obstacle !== undefined} onClick={() => void send()}>
            Send again
          </button>
        </Guard>
        <CopyButton text={model.client.commandFor(call)} label="Copy as curl" />
        <CopyButton text={location.href} label="Copy link" />
      </div>
      {obstacle === undefined ? null : <p class="quiet">It cannot be sent again as it was. {obstacle}</p>}
    </>
  )
}
