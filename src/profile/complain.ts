/** Reports a field of a profile that does not fit others. */
export type Complain = (field: string, reason: string) => void
