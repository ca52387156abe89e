/// A document whose signature, period of validity, app version and share were verified.
///
/// A document is complete: what it doesn't mention is as the app was built. Its bytes are canonical:
/// what is signed of equal documents is equal, and lines that are written otherwise are refused.
public struct DeploymentDocument: Sendable {
  /// The version; each document has a higher one than those before.
  public let version: UInt64
  /// The names of the parts, sorted.
  public var partNames: [String] { parts.map(\.name) }

  /// The parts in the order of their names, each with its content.
  package let parts: [(name: String, content: [UInt8])]
  /// The name of the key that has signed the document.
  package let key: String
  /// The names of the keys that are not trusted from this document on.
  package let revokedKeys: [String]
  /// The signed bytes as received.
  package let bytes: [UInt8]

  /// Checks every part without any effect, for the tests of an app and for the server that publishes.
  ///
  /// - Parameter parts: The parts of the app.
  /// - Throws: ``DeploymentError`` of the first part that the app doesn't have, or that refuses its content.
  public func check(by parts: [DeploymentPart]) throws(DeploymentError) {
    _ = try DeploymentPlan(self, parts: parts)
  }

  /// Returns the content of a part; nil if the document doesn't have it.
  package func content(of part: String) -> [UInt8]? { parts.first { $0.name == part }?.content }
}
