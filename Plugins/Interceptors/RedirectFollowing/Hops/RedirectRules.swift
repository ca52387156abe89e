import HTTPTypes

/// What an interceptor's redirects may do.
struct RedirectRules: Sendable {
  /// The maximum number of redirects per call.
  let limit: Int
  /// Whether a redirect from https to http is followed.
  let allowsDowngrades: Bool
  /// Whether a redirect from a public host to a private address is followed.
  let allowsPrivateAddresses: Bool
  /// The header fields that are removed when a redirect leads to another origin.
  let originFields: Set<HTTPField.Name>

  private static let credentialFields: [HTTPField.Name] =
    [.authorization, .cookie, .proxyAuthorization] + [HTTPField.Name("Host")].compactMap(\.self)

  init(
    limit: Int = 20, allowsDowngrades: Bool = false, allowsPrivateAddresses: Bool = true,
    originFields: [HTTPField.Name] = []
  ) {
    self.limit = max(0, limit)
    self.allowsDowngrades = allowsDowngrades
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.originFields = Set(originFields).union(Self.credentialFields)
  }
}
