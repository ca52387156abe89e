/// How a lazy value is created, and which module owns it.
struct LazyRecipe<Value: Sendable>: Sendable {
  /// The value's name, for errors and events.
  let name: String
  let module: String
  let loads: WaitGraph
  /// The number of the declaration, which all values created by one recipe share.
  let declaration: Int
  let make: @Sendable (RouteContext) async throws -> Value

  init(
    _ name: String, module: String, loads: WaitGraph,
    _ make: @escaping @Sendable (RouteContext) async throws -> Value
  ) {
    self.name = name
    self.module = module
    self.loads = loads
    declaration = loads.nextNumber()
    self.make = make
  }
}
