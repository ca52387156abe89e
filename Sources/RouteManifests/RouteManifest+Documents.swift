extension RouteManifest {
  /// Returns all documents of the manifest, which are the same on every machine.
  ///
  /// They are `routes.json`, `routes.md`, `routes.mmd` and `Info.plist`. If the manifest has an app ID, there
  /// is also one `apple-app-site-association`, or, for several hosts with links, one in a folder for each
  /// host.
  public func documents() throws -> [ManifestDocument] {
    try ManifestFormat.allCases.flatMap(documents)
  }

  /// Returns the documents of one format: one for each host for `association`, exactly one for the others.
  public func documents(in format: ManifestFormat) throws -> [ManifestDocument] {
    switch format {
    case .json: return [ManifestDocument(path: "routes.json", text: try json())]
    case .markdown: return [ManifestDocument(path: "routes.md", text: markdown)]
    case .mermaid: return [ManifestDocument(path: "routes.mmd", text: mermaid)]
    case .plist: return [ManifestDocument(path: "Info.plist", text: try infoPlist())]
    case .association:
      let name = "apple-app-site-association"
      let associations = appIDs.isEmpty ? [] : appSiteAssociations
      return try associations.map { association in
        let path = associations.count == 1 ? name : "\(association.host)/\(name)"
        return ManifestDocument(path: path, text: try association.json())
      }
    }
  }
}
