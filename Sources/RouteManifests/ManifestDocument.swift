/// One of the texts that are made of a manifest, and the file it belongs into.
public struct ManifestDocument: Sendable, Hashable {
  /// The file, relative to the manifest's folder.
  public let path: String
  /// The whole text, with a newline at its end.
  public let text: String
}
