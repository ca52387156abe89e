/// Returns or creates a service.
struct ServiceSource<Service: Sendable>: Sendable {
  let get: @Sendable (Mediator) async throws -> Service
}

/// A provided service with its type erased.
struct ServiceEntry: Sendable {
  let type: ObjectIdentifier
  let name: String
  let place: RoutePlace
  /// A `ServiceSource` of the service's type.
  let source: any Sendable
}
