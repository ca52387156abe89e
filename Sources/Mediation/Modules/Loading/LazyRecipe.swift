/// How a lazy value is made, and for whom.
struct LazyRecipe<Value: Sendable>: Sendable {
  /// The name and the module, for errors and events.
  let name: String
  let module: String
  let loads: WaitGraph
  /// The number of the declaration: values of one recipe have it in common.
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
