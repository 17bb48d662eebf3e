/** An operation of the interface, as its route declares it. */
export interface OperationInfo {
  readonly operationId: string
  /** Statuses that it can answer with, without those of a failing server: the success first. */
  readonly statuses: readonly number[]
}

/** The operations that are registered, and the schemas that their bodies refer to by name. */
export class OperationCatalogue {
  readonly #operations = new Map<string, OperationInfo>()
  readonly #schemas = new Map<string, object>()

  add(operation: OperationInfo): void {
    this.#operations.set(operation.operationId, operation)
  }

  addSchema(name: string, schema: object): void {
    this.#schemas.set(name, schema)
  }

  has(operationId: string): boolean {
    return this.#operations.has(operationId)
  }

  list(): readonly OperationInfo[] {
    return [...this.#operations.values()]
  }

  /** A schema by its name. */
  schema(name: string): object | undefined {
    return this.#schemas.get(name)
  }
}
