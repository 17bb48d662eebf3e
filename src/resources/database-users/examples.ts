/** The user of the demo data, in a state document. The hash is of no password: nothing checks one. */
export const DEMO_USER_STATE = { id: 'ann', username: 'ann', password_hash: 'none' }
