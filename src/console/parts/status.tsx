/** An HTTP status, by colour and by text. */
export function Status({ status }: { status: number | null }) {
  if (status === null) return <span class="status status-lost">lost</span>
  return <span class={`status status-${Math.floor(status / 100)}xx`}>{status}</span>
}
