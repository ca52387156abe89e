import APIManagers
import EstateContract
import HTTPTypes

/// Starts the server's first address again.
struct StartAddressAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "address.start", method: .put, path: "/addresses/127.0.0.1")
}
