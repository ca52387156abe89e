import APIManagers
import Interception

struct Home: Decodable, Sendable, Equatable {
  var id: Int
  var askingPrice: Double
}

/// An API whose output is decoded, and that describes its failures in the content.
struct Homes: API {
  struct Output: Decodable, Sendable, Equatable { var homes: [Home] }
  struct Failure: Decodable, Sendable, Equatable { var code: Int; var message: String }
  static let endpoint = Endpoint<Search>(.estate, "homes", path: "/homes")
}

/// The same with a cache.
struct CachedHomes: API {
  typealias Output = Homes.Output
  static let endpoint = Endpoint<Search>(.estate, "homes.cached", path: "/homes", cacheRule: .timed())
}

extension Homes {
  /// The content of a response with one home.
  static let oneHome = #"{"homes": [{"id": 42, "askingPrice": 250000}]}"#
}
