package import APIManagers

/// The changes that members make without a network, until they are delivered.
package protocol KeptChanges: Sendable {
  /// Delivers what waits if there is a network and a member; called whenever either has changed.
  @MainActor func update()

  /// Stores the request of an API, and returns when it is on the disk.
  ///
  /// - Parameter resource: What it changes, such as `favourites/42`; the changes of a member to one resource
  ///   are delivered in order.
  func add<Params>(_ endpoint: Endpoint<Params>, _ params: Params, resource: String) async throws

  /// Returns the resources that wait for a change by the member, in the order of the changes.
  func resources() async throws -> [String]

  /// Removes the member's changes of a resource, and returns whether there was one; one that is being sent
  /// stays.
  func cancel(_ resource: String) async throws -> Bool
}

/// What the app has recorded of the user's actions.
package protocol RecordedActions: Sendable {
  var lines: [String] { get }

  /// Uploads all that was recorded so far, and returns whether the server has it now.
  @discardableResult func flush() async -> Bool
}
