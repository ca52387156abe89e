/// How a lazy value is created, and which module owns it.
struct LazyDeclaration<Value: Sendable>: Sendable {
  /// The value's name, for errors and events.
  let name: String
  let module: String
  let loads: WaitGraph
  /// The number of the declaration, which all values created by it share.
  let number: Int
  let make: @Sendable (RouteContext) async throws -> Value

  init(
    _ name: String, module: String, loads: WaitGraph,
    _ make: @escaping @Sendable (RouteContext) async throws -> Value
  ) {
    self.name = name
    self.module = module
    self.loads = loads
    number = loads.nextNumber()
    self.make = make
  }
}
