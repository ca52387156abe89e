/// Which redirect tables a mediator takes at run time.
public struct RedirectPolicy: Sendable {
  enum Trust: Sendable {
    case none
    case caller
    case signature(any RedirectVerifier)
  }

  /// What the app calls the largest signed table: so many bytes.
  static let payloadLimit = 1024 * 1024

  let trust: Trust
  var webHosts: [String] = []
  var minimumVersion = 0
  var ruleLimit = 0

  /// No table at all.
  public static let refused = RedirectPolicy(trust: .none)

  /// Tables with a valid signature only.
  ///
  /// - Parameters:
  ///   - webHosts: Hosts besides the mediator's own to whose `https` pages rules may lead; exact names.
  ///   - minimumVersion: The lowest version to take: keep `Mediator.redirectVersion` over launches and pass
  ///     it here, or an attacker can bring back an old table that was signed once.
  ///   - ruleLimit: So many rules a table may have.
  public static func signed(
    by verifier: any RedirectVerifier, webHosts: [String] = [], minimumVersion: Int = 0, ruleLimit: Int = 500
  ) -> RedirectPolicy {
    RedirectPolicy(
      trust: .signature(verifier), webHosts: webHosts, minimumVersion: minimumVersion, ruleLimit: ruleLimit)
  }

  /// Tables that the calling code vouches for, such as one that is part of the app.
  ///
  /// Do not choose it for tables from a network.
  public static func unsigned(
    webHosts: [String] = [], minimumVersion: Int = 0, ruleLimit: Int = 500
  ) -> RedirectPolicy {
    RedirectPolicy(trust: .caller, webHosts: webHosts, minimumVersion: minimumVersion, ruleLimit: ruleLimit)
  }

  /// The policy with its hosts as they are compared.
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
