import HTTPTypes
import Interception

/// The scheme, host and port that a request is sent to, in lowercase and without a default port.
struct RequestOrigin: Sendable, Hashable {
  private let scheme: String
  private let authority: String

  init(_ head: HTTPRequest) {
    let scheme = (head.scheme ?? "").lowercased()
    var authority = (head.authority ?? "").lowercased()[...]
    if let user = authority.lastIndex(of: "@") { authority = authority[authority.index(after: user)...] }
    switch scheme {
    case "https" where authority.hasSuffix(":443"): authority.removeLast(4)
    case "http" where authority.hasSuffix(":80"): authority.removeLast(3)
    default: break
    }
    self.scheme = scheme
    self.authority = String(authority)
  }
}

extension RequestOrigin: CustomStringConvertible {
  var description: String { "\(scheme)://\(authority)" }
}
