/// What changes in the app without a release.
package protocol ReceivedDeployments: Sendable {
  /// The version in use and the last events, as lines.
  var lines: [String] { get }

  /// Verifies and applies a document, and returns the version in use.
  func receive(_ bytes: [UInt8]) async throws -> String

  /// Shows what starts of an app do with a document that it dies of, in a folder of its own; returns lines.
  ///
  /// - Parameter before: The document before it.
  func safeStart(with deadly: [UInt8], before: [UInt8]) async throws -> String
}
