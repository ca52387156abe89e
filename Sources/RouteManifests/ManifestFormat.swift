/// A form that a manifest can be put into.
public enum ManifestFormat: String, Sendable, Hashable, CaseIterable {
  /// Everything, for programs.
  case json
  /// Tables, for people.
  case markdown
  /// A drawing of modules, routes and ways in, which many viewers of Markdown show.
  case mermaid
  /// Which https links of a host open the app, for the host to serve.
  case association
  /// The URL schemes of the app, for its `Info.plist`.
  case plist
}
