import Mediation

/// A text generated from a manifest, and the file that it belongs in.
public struct ManifestDocument: Sendable, Hashable {
  /// The path of the file, relative to the manifest's folder.
  public let path: String
  /// The whole text, which ends in a newline.
  public let text: String
}
