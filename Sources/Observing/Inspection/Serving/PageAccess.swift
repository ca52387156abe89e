import Cryptography

/// Decides whether a request is one of the page's own: by its token, its host and where it comes from.
///
/// The token keeps out other users of the machine, and the host a site whose name resolves to 127.0.0.1 (DNS
/// rebinding).
struct PageAccess: Sendable {
  /// The part of the path that only the page's user knows: 128 random bits.
  let token: String
  let port: UInt16

  /// What to do with a request.
  enum Verdict: Sendable, Equatable {
    /// Answer it; the path below the token, and the query.
    case admitted(path: String, query: String)
    /// Point to the page's address, which ends with a slash.
    case redirected
    /// Refuse it, without saying why.
    case refused(Int)
  }

  /// Creates an access with a new token.
  init(port: UInt16) {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    self.init(token: words.joined(), port: port)
  }

  init(token: String, port: UInt16) {
    self.token = token
    self.port = port
  }

  /// The page's address.
  var url: String { "http://127.0.0.1:\(port)/\(token)/" }

  func verdict(on request: PageRequest) -> Verdict {
    guard let host = request.value(of: "host")?.lowercased(), hosts.contains(host) else {
      return .refused(403)
    }
    guard isOwn(request, host: host) else { return .refused(403) }
    let halves = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves[0].utf8
    guard path.first == UInt8(ascii: "/") else { return .refused(400) }
    let parts = path.dropFirst().split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard MessageAuthentication.areEqual(Array(parts[0]), Array(token.utf8)) else { return .refused(404) }
    guard parts.count == 2 else { return .redirected }
    switch request.method {
    case "GET", "HEAD": break
    // A form of another site can't set the field.
    case "POST": if request.value(of: "x-inspector") != "1" { return .refused(403) }
    default: return .refused(405)
    }
    return .admitted(
      path: String(decoding: parts[1], as: UTF8.self), query: halves.count > 1 ? String(halves[1]) : "")
  }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

  private func isOwn(_ request: PageRequest, host: String) -> Bool {
    if request.has("origin"), request.value(of: "origin") != "http://\(host)" { return false }
    switch request.value(of: "sec-fetch-site") {
    case nil: return !request.has("sec-fetch-site")
    case "same-origin", "none": return true
    // A link of another page of this machine, such as that of the app.
    case "same-site": return request.value(of: "sec-fetch-mode") == "navigate" && request.method == "GET"
    default: return false
    }
  }
}
