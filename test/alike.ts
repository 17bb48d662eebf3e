/** A generated id. */
export const DRAWN_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const TIMESTAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| \+0000 UTC)/g

/** Parses a reply with all ids and all timestamps made equal, because they differ in each run. */
export const alike = (text: string): unknown => JSON.parse(text.replace(DRAWN_ID, 'id').replace(TIMESTAMP, 'time'))
