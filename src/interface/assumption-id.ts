/** Id of an assumption, such as `P-017`, where the compiler should reject any other text. */
export type AssumptionId = `P-${number}`
