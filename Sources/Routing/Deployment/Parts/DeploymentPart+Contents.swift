import BodyFormats
public import DNSBypass
public import ScreenContents
public import WebPages

extension DeploymentPart {
  /// The addresses of hosts, as a JSON object.
  ///
  /// ```json
  /// {"api.estate.example": ["203.0.113.7", "[2001:db8::7]:8443"]}
  /// ```
  ///
  /// Without a document, the bypass has the table that it has when the part is created. Don't use an
  /// `AddressListRefresher` for the same bypass.
  ///
  /// - Parameters:
  ///   - bypass: The interceptor whose table is replaced.
  ///   - ranges: Ranges that are allowed in addition to public addresses.
  public static func addresses(
    of bypass: DNSBypassInterceptor, allowing ranges: Set<SpecialAddressRange> = []
  ) -> DeploymentPart {
    let own = bypass.table
    return DeploymentPart("addresses") { content in
      let hosts = try [String: JSONDocument](json: try PartContent.json(content))
      let addresses = try hosts.mapValues { try [String](json: $0) }
      do throws(AddressTableIssue) {
        let table = try AddressTable(addresses, allowing: ranges)
        return { bypass.update(table) }
      } catch {
        let place = error.faults.first?.host.flatMap { hosts[$0]?.offset }
        throw DeploymentPart.Fault("\(error)", line: place.map { JSONDocument.line(at: $0, in: content) })
      }
    } reset: {
      bypass.update(own)
    }
  }

  /// The pages of a site, as the signed bytes of a `PagePackage`.
  ///
  /// The name of the part is `pages/` and the site, such as `pages/www.example.com`.
  ///
  /// The package is served from memory instead of the one that is installed, whatever the versions of the two
  /// are: to go back to earlier pages, publish them in a later document. Packages that are larger than a
  /// document belong into the store alone.
  public static func pages(_ store: PagePackageStore) -> DeploymentPart {
    DeploymentPart("pages/\(store.site)", maximumSize: DeploymentDraft.maximumSize) { content in
      let package = try store.checked(content)
      return { store.deploy(package) }
    } reset: {
      store.deploy(nil)
    }
  }

  /// Screens as content, as a JSON object whose keys are their names; see `ScreenDecoder`.
  ///
  /// All their routes must open for the decoder's origin when the document is checked.
  ///
  /// - Parameters:
  ///   - decoder: Reads and checks the screens.
  ///   - apply: Keeps the screens by their names, for the routes that show them; it gets none without a
  ///     document.
  public static func screens(
    _ decoder: ScreenDecoder, apply: @escaping @Sendable ([String: ScreenContent]) -> Void
  ) -> DeploymentPart {
    DeploymentPart("screens") { content in
      let screens = try decoder.screens(from: content)
      return { apply(screens) }
    } reset: {
      apply([:])
    }
  }
}
