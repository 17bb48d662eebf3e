/** Why a call had no reply, as it is told to the user. */
export function reasonOf(error: unknown): string {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return 'it did not answer in time'
  const { code, message } = (cause ?? error) as NodeJS.ErrnoException
  // The codes of the client say less than its messages.
  const reason = code === undefined || code.startsWith('UND_') ? message : code
  return /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(reason)
    ? `${reason}; NODE_EXTRA_CA_CERTS can name a file with the certificate of your own CA`
    : reason
}
