import HTTPTypes
import Synchronization

/// The addresses at which clients reach the server; the demo's faults stop and start them.
///
/// The API has them before it is served, and without a server none.
final class ListeningAddresses: Sendable {
  private let proxies = Mutex<AddressProxies?>(nil)

  /// Uses the proxies of a server that has started, or none when it stops.
  func use(_ proxies: AddressProxies?) { self.proxies.withLock { $0 = proxies } }

  /// The addresses with their port, also those that are stopped.
  var all: [String] {
    proxies.withLock { $0 }.map { proxies in AddressProxies.addresses.map { "\($0):\(proxies.port)" } } ?? []
  }

  /// Stops an address, and returns the ones that are left.
  ///
  /// - Throws: 404 `unknown_address`, or 409 `last_address` if no other one would be left.
  func stop(_ address: String) async throws -> [String] {
    let proxies = try known(address)
    guard await proxies.started != [address] else {
      throw APIError(.conflict, "last_address", "The server has no other address now; start one first.")
    }
    _ = await proxies.stop(address)
    return await proxies.started
  }

  /// Starts an address again, and returns those that are reached.
  ///
  /// - Throws: 404 `unknown_address`, or the error because of which it can't be started.
  func start(_ address: String) async throws -> [String] {
    let proxies = try known(address)
    try await proxies.start(address)
    return await proxies.started
  }

  private func known(_ address: String) throws(APIError) -> AddressProxies {
    guard let proxies = self.proxies.withLock({ $0 }), AddressProxies.addresses.contains(address) else {
      throw APIError(
        .notFound, "unknown_address",
        "The server has no such address; it has \(AddressProxies.addresses.joined(separator: " and ")).")
    }
    return proxies
  }
}
