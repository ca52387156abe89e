import Mediation

/// A format of a manifest.
package enum ManifestFormat: String, Sendable, Hashable, CaseIterable {
  /// The whole manifest as JSON.
  case json
  /// Tables in Markdown.
  case markdown
  /// A drawing of modules, routes, guards and openers.
  case svg
  /// The `https` links of each host that open the app, for the hosts to serve.
  case association
  /// The URL schemes of the app, for its `Info.plist`.
  case plist
}
