import Mediation
import Synchronization

/// The reason why a redirect table was not applied; the current table stays.
public struct RedirectTableError: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Kind: Sendable {
    /// The policy accepts no tables.
    case refused
    /// The policy accepts signed tables only.
    case unsigned
    /// The policy has no verifier for signed tables.
    case noVerifier
    /// The tables belong to no mediator yet.
    case notConnected
    /// The signature is not valid for these bytes and a trusted key.
    case badSignature
    /// The app's decoder could not decode the table.
    case undecodable(any Error)
    /// The table has more bytes or rules than this limit.
    case tooLarge(limit: Int)
    /// The table is not newer than one applied before, or older than the policy's minimum version.
    case notNewer(version: Int, minimum: Int)
    /// The rules have faults; all of them, in the order of the rules.
    case invalid([RedirectFault])
  }

  /// What is wrong.
  package let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// What is wrong and what to do.
  public var description: String {
    switch kind {
    case .refused:
      return "The policy accepts no redirect tables: create RedirectTables(.signed(by: …))."
    case .unsigned:
      return "The policy accepts signed redirect tables only: apply the bytes with their signature."
    case .noVerifier:
      return "The policy cannot check signatures: create RedirectTables(.signed(by: …))."
    case .notConnected:
      return "The redirect tables belong to no mediator: pass them to Mediator(redirector:) first."
    case .badSignature:
      return "The redirect table's signature is not valid: load it again, or check the key."
    case .undecodable(let error):
      return "The redirect table cannot be decoded: \(error)"
    case .tooLarge(let limit):
      return "The redirect table exceeds the limit of \(limit): split or shorten it."
    case .notNewer(let version, let minimum):
      return "The redirect table's version is \(version), but must be at least \(minimum): publish it with a "
        + "higher version."
    case .invalid(let faults):
      let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
      return (["The redirect table has \(count):"] + faults.map { "- \($0)" }).joined(separator: "\n")
    }
  }
}
