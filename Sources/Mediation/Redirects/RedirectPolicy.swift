/// The redirect tables that a mediator accepts at run time.
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
  ///   - minimumVersion: The minimum version of the first table. Store `Mediator.redirectVersion` across
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

  /// Returns the policy with its hosts in lower case.
  func checked() throws(RouteTableIssue) -> RedirectPolicy {
    var copy = self
    var faults: [RouteFault] = []
    copy.webHosts = webHosts.map { text in
      let name = String(decoding: text.utf8.map(URLHead.lowercase), as: UTF8.self)
      let head = try? URLHead("https://\(name)")
      if head?.host != name || head?.port != nil || head?.isWhole != true {
        faults.append(.address(text))
      }
      return name
    }
    if !faults.isEmpty { throw RouteTableIssue(faults: faults) }
    return copy
  }
}
