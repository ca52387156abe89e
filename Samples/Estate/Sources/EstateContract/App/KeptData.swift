public import LocalStores

/// What the app keeps of its users' own data, separate for each member: notes, settings, what was compared.
public struct KeptData: Sendable {
  private let stores: AccountStores
  private let member: @Sendable () -> String?

  /// Creates the data.
  ///
  /// - Parameter member: Returns the member's name, or `nil` for a guest.
  public init(_ stores: AccountStores, member: @escaping @Sendable () -> String?) {
    self.stores = stores
    self.member = member
  }

  /// Returns the data of the member, or that of guests.
  public func ofUser() async throws(LocalStoreError) -> LocalStore {
    try await stores.store(of: member() ?? "")
  }

  /// Returns what is the same for everybody who uses the device.
  public func ofDevice() async throws(LocalStoreError) -> LocalStore { try await stores.store(of: "") }

  /// Removes everything that a member has, whose session has ended.
  public func remove(member: String) async throws(LocalStoreError) { try await stores.remove(member) }

  /// Returns everything that a member has as JSON.
  public func export(member: String) async throws(LocalStoreError) -> [UInt8] {
    try await stores.export(member)
  }

  /// Writes what waits, because the app is no longer visible.
  public func flush() async throws(LocalStoreError) { try await stores.flush() }

  /// Writes what waits, and closes the files for another app.
  public func close() async throws(LocalStoreError) { try await stores.close() }
}
