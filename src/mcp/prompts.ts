import type { Prompt as ListedPrompt, PromptArgument } from '@modelcontextprotocol/server'

interface Prompt extends ListedPrompt {
  readonly arguments: PromptArgument[]
  readonly textOf: (given: Readonly<Record<string, string>>, url: string) => string
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'write-client-test',
    title: 'Write a test for this client',
    description: 'Tests a client of the interface, with a sandbox of its own, with faults, and without waiting.',
    arguments: [
      { name: 'client', description: 'The code to test: a file, a command, or what it does.', required: true },
      { name: 'framework', description: 'The test framework; that of the project if absent.', required: false }
    ],
    textOf: (
      { client = '', framework = 'the test framework of the project' },
      url
    ) => `Write a test for this client: ${client}

Use ${framework} and the mock of its service, svc-mock, at ${url}.

1. Read the client, and list the operations that it calls. Read svc-mock://interface, and the assumptions about their
   states in svc-mock://assumptions.
2. Make a sandbox (tool sandbox, action new) to try the calls in. In the test, give each case a sandbox of its own: in
   Node with startMock() and mock.sandbox(), elsewhere with POST /_mock/sandboxes.
3. Never sleep in the test: freeze the clock and advance it (until idle), or set it to poll if the client polls.
4. Test the normal case first. Then test realistic failures: a reply that is lost after the operation was carried out
   (a fault with phase after-commit), a 503 and a 429 with retry_after, a transition that fails, a workspace that
   someone else has paused.
5. Assert on the state (tool state, or a read of the interface) and on the calls (requests verify), not on messages.
6. If the tool explore is available, let it run the test's command, and cover what it finds.`
  },
  {
    name: 'why-did-this-test-fail',
    title: 'Why did this test fail?',
    description: 'Finds the cause of a failure in the record of the sandbox.',
    arguments: [
      { name: 'failure', description: 'The message or the output of the test.', required: true },
      { name: 'key', description: 'Key of the sandbox of the test; that of the session if absent.', required: false }
    ],
    textOf: ({ failure = '', key }, url) => {
      const place = key === undefined ? '' : `, and its sandbox has the key ${key} (argument key of each tool)`
      return `Find out why this test failed:

${failure}

Its server is svc-mock at ${url}${place}.

1. requests list: the calls in order, with errors, faults, and ignored input (unread: often a misspelt name).
2. requests why, with the request_id of the first failed call: what it changed and scheduled, and how that ended. For
   a workspace in an unexpected state: requests why, with its id as resource_id.
3. transitions list and faults list: was the failure injected?
4. compare, from the last moment at which everything was right: what has changed since.
5. sandbox save, and try the repair in a new one from that: the original stays as evidence.

Say whether the client, the test or an assumption of the mock (svc-mock://assumptions) is wrong, and show the record
that proves it.`
    }
  }
]
