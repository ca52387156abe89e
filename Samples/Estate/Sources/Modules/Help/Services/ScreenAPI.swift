import APIManagers
import EstateContract

/// The document of a screen, as the server sends it.
struct ScreenAPI: API {
  struct Params: Sendable, Hashable {
    var name: String
  }

  static let endpoint = Endpoint<Params>(
    .estate, "screens.document", path: "/screens/\(\.name)", encoding: .pathOnly)
}
