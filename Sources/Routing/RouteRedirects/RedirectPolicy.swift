import Mediation

/// The redirect tables that are accepted at run time.
public struct RedirectPolicy: Sendable {
  enum Trust: Sendable {
    case none
    case caller
    case signature(any RedirectVerifier)
  }

  /// The maximum size of a signed table, in bytes.
  static let payloadLimit = 1024 * 1024

  let trust: Trust
  var webHosts: [String] = []
  var minimumVersion = 0
  var ruleLimit = 0

  /// Accepts no tables.
  public static let refused = RedirectPolicy(trust: .none)

  /// Accepts only tables with a valid signature.
  ///
  /// - Parameters:
  ///   - webHosts: Hosts besides the mediator's own whose `https` pages rules may lead to; exact names.
  ///   - minimumVersion: The minimum version of the first table. Store `RedirectTables.version` across
  ///     launches and pass it here; otherwise an attacker can replay an old signed table.
  ///   - ruleLimit: The maximum number of rules in a table.
  public static func signed(
    by verifier: any RedirectVerifier, webHosts: [String] = [], minimumVersion: Int = 0, ruleLimit: Int = 500
  ) -> RedirectPolicy {
    RedirectPolicy(
      trust: .signature(verifier), webHosts: webHosts, minimumVersion: minimumVersion, ruleLimit: ruleLimit)
  }

  /// Accepts tables that the calling code trusts, such as one that is part of the app.
  ///
  /// Do not use it for tables from a network.
  public static func unsigned(
    webHosts: [String] = [], minimumVersion: Int = 0, ruleLimit: Int = 500
  ) -> RedirectPolicy {
    RedirectPolicy(trust: .caller, webHosts: webHosts, minimumVersion: minimumVersion, ruleLimit: ruleLimit)
  }

  /// The policy with its hosts in lower case.
  var withLowercaseHosts: RedirectPolicy {
    var copy = self
    copy.webHosts = webHosts.map { String(decoding: $0.utf8.map(URLHead.lowercase), as: UTF8.self) }
    return copy
  }

  /// Returns whether a text is a host name without a port, in lower case.
  static func isHost(_ name: String) -> Bool {
    guard let head = try? URLHead("https://\(name)") else { return false }
    return head.host == name && head.port == nil && head.isWhole
  }
}
