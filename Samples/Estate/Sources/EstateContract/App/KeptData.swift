package import LocalStores

/// What the app keeps of its users' own data, separate for each member: notes, settings, what was compared.
package struct KeptData: Sendable {
  private let stores: AccountStores
  private let member: @Sendable () -> String?

  /// Creates the data.
  ///
  /// - Parameter member: Returns the member's name, or `nil` for a guest.
  package init(_ stores: AccountStores, member: @escaping @Sendable () -> String?) {
    self.stores = stores
    self.member = member
  }

  /// Returns the data of the member, or that of guests.
  package func ofUser() async throws(LocalStoreError) -> LocalStore {
    try await stores.store(of: member() ?? "")
  }

  /// Returns what is the same for everybody who uses the device.
  package func ofDevice() async throws(LocalStoreError) -> LocalStore { try await stores.store(of: "") }

  /// Removes everything that a member has, whose session has ended.
  package func remove(member: String) async throws(LocalStoreError) { try await stores.remove(member) }

  package func export(member: String) async throws(LocalStoreError) -> [UInt8] {
    try await stores.export(member)
  }

  /// Writes what waits, because the app is no longer visible.
  package func flush() async throws(LocalStoreError) { try await stores.flush() }

  /// Writes what waits, and closes the files for another app.
  package func close() async throws(LocalStoreError) { try await stores.close() }
}
