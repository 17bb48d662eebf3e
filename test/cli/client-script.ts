/** The start of a client in JavaScript, whose calls return the Result, or throw an Error with the status. */
export const CALL = `
const call = (method, path, body) => fetch(process.env.SVC_MOCK_URL + '/controller/v4/v2' + path, {
  method, headers: { 'x-api-key': process.env.SVC_MOCK_KEY, 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) })
}).then(async (reply) => {
  if (!reply.ok) throw new Error(String(reply.status))
  return (await reply.json()).Result
});
const make = (name) => call('POST', '/workgroups', { cloud_provider_id: 'a', name });
const create = () => make('<main>');
`
