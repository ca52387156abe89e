/// A challenge of a server: a scheme that it accepts, with parameters (RFC 9110, section 11.3).
public struct Challenge: Sendable, Hashable {
  /// The name of the scheme in lower case, such as `bearer`.
  public let scheme: String
  /// The parameters by name in lower case; quoted values are unescaped.
  public let parameters: [String: String]
  /// The data of a scheme such as Negotiate, which has no parameters; nil for others.
  public let token68: String?

  /// Creates a challenge.
  public init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
    self.scheme = scheme.lowercased()
    self.parameters = parameters
    self.token68 = token68
  }

  /// The protection space within the origin (RFC 9110, section 11.5); nil if the challenge names none.
  public var realm: String? { parameters["realm"] }
}
