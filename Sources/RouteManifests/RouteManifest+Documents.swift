extension RouteManifest {
  /// All documents that the manifest gives, the same on every machine.
  ///
  /// They are `routes.json`, `routes.md`, `routes.mmd` and `Info.plist`; and, if the manifest has an `appID`,
  /// for one host with links `apple-app-site-association`, for several one of that name in a folder for each
  /// host.
  public func documents() throws -> [ManifestDocument] {
    try ManifestFormat.allCases.flatMap(documents)
  }

  /// The documents of one form: one, or for an association as many as there are hosts.
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
