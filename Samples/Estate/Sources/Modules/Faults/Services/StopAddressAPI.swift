import APIManagers
import EstateContract
import HTTPTypes

/// Stops the server's first address; it stays reachable at the other one.
struct StopAddressAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "address.stop", method: .delete, path: "/addresses/127.0.0.1")
}
