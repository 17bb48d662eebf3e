/** An operation of the interface, as its route declares it. */
interface OperationInfo {
  readonly operationId: string
  /** Statuses that it can answer with, success first, without those of a failing server. */
  readonly statuses: readonly number[]
}

/** The registered operations, and the named schemas that their bodies refer to. */
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

  schema(name: string): object | undefined {
    return this.#schemas.get(name)
  }
}
