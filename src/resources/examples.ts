import type { Org } from '../sandboxes/sandbox.js'

// What the examples in the OpenAPI document have in common. They are about the data of `--demo`, so that a reader can
// send each as it is; a test does that, and compares the replies.

/** The org of the demo data. */
export const DEMO_ORG: Org = { orgId: 'demo-org', orgName: 'Demo Org' }

/** Stands for any time. */
export const MOMENT = '2026-01-02T03:04:05.678Z'

/** Stands for any id that the server chooses. */
export const NEW_ID = '1f0c2d3e-4b5a-4978-8695-a4b3c2d1e0f9'
