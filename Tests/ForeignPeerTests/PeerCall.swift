/// A call that both clients make: this package, and Python's `requests`.
struct PeerCall: Sendable, Codable {
  /// The credentials of a call.
  enum Credentials: Sendable, Hashable, Codable {
    case basic(user: String, password: String)
    case digest(user: String, password: String)
    case bearer(String)
  }

  var method = "GET"
  /// The path and the query.
  var path: String
  var fields: [String: String] = [:]
  var body: String?
  var credentials: Credentials?
}

extension PeerCall: ExpressibleByStringLiteral {
  /// Creates a GET of a path.
  init(stringLiteral path: String) { self.init(path: path) }
}
