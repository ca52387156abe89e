import Mediation

/// A text generated from a manifest, and the file that it belongs in.
package struct ManifestDocument: Sendable, Hashable {
  /// The path of the file, relative to the manifest's folder.
  package let path: String
  /// The whole text, which ends in a newline.
  package let text: String
}
