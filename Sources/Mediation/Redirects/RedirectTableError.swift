/// Why a redirect table was not applied; the one in force stays so.
public enum RedirectTableError: Error, Sendable, CustomStringConvertible {
  /// The mediator takes no tables.
  case refused
  /// The mediator takes signed tables only.
  case unsigned
  /// The mediator has no verifier for signed tables.
  case noVerifier
  /// The signature is not one of these bytes by a trusted key.
  case badSignature
  /// The app's decoder could not read the table.
  case undecodable(any Error)
  /// The table has more bytes or rules than this limit.
  case tooLarge(limit: Int)
  /// The table is not newer than one that was applied before, or older than the policy's lowest version.
  case notNewer(version: Int, minimum: Int)
  /// The rules are faulty; all faults, in the order of the rules.
  case invalid([RedirectFault])

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .refused:
      return "The mediator takes no redirect tables: build it with redirects: .signed(by: …)."
    case .unsigned:
      return "The mediator takes signed redirect tables only: apply the bytes with their signature."
    case .noVerifier:
      return "The mediator cannot check signatures: build it with redirects: .signed(by: …)."
    case .badSignature:
      return "The redirect table's signature is not valid: fetch it again, or check the key."
    case .undecodable(let error):
      return "The redirect table cannot be read: \(error)"
    case .tooLarge(let limit):
      return "The redirect table is larger than \(limit): split or shorten it."
    case .notNewer(let version, let minimum):
      return "The redirect table's version is \(version) and must be at least \(minimum): publish it anew."
    case .invalid(let faults):
      let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
      return (["The redirect table has \(count):"] + faults.map { "- \($0)" }).joined(separator: "\n")
    }
  }
}
