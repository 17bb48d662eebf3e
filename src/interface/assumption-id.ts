/** Id of an assumption, such as `P-017`, where the compiler must not take another text for one. */
export type AssumptionId = `P-${number}`
