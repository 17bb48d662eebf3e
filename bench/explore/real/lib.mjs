// Lets clients of other services talk to svc-mock: paths and bodies are translated around their own fetch.
const { SVC_MOCK_URL: url, SVC_MOCK_KEY: key } = process.env

export const GROUP = `${url}/controller/v4/v2/workgroups/main`
export const WORKSPACES = `${GROUP}/workspaces`

const headers = { 'x-api-key': key, 'content-type': 'application/json' }

/** Sends a request to svc-mock, with the signal of theirs. */
export const send = (method, address, body, signal) =>
  fetch(address, { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })

/** A reply of theirs for a reply of ours; one that is not JSON stays as it is. */
export async function translate(response, toResult, toError) {
  const text = await response.text()
  const { status } = response
  const headers = new Headers(response.headers)
  const answer = (body, as = status) => new Response(body, { status: as, headers })
  let envelope
  try {
    envelope = JSON.parse(text)
  } catch {
    return answer(text)
  }
  headers.set('content-type', 'application/json')
  if (!response.ok || envelope.Error) {
    const refused = response.ok ? 500 : status
    return answer(JSON.stringify(toError(envelope, refused)), refused)
  }
  const result = toResult(envelope.Result)
  return result === undefined ? answer(JSON.stringify(toError(envelope, 404)), 404) : answer(JSON.stringify(result))
}

/** Runs a program; a failure is one line and status 1. */
export async function main(program) {
  try {
    await program()
  } catch (error) {
    console.error(`${error.name}: ${error.message}`)
    process.exitCode = 1
  }
}
