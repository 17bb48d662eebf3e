/** The command line is wrong; the message is one line for the user. */
export class UsageError extends Error {}
