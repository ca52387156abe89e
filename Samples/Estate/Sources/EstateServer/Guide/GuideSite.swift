import Foundation
import HTTPServing
import HTTPTypes
import WebPages

/// The guide for buyers: pages of the web site for the app's web view, and their signed package for devices
/// without a network.
///
/// In production the site's build would sign the package, and the private key would not be on the server.
package struct GuideSite: Sendable {
  static let site = "api.estate.test"
  static let packagePath = "/guide.pages"
  private static let privateKeyName = "pages-key.pem"
  private static let publicKeyName = "pages-public.pem"
  private static let version = 1

  private struct File {
    let name: String
    let type: String
    let text: String
  }

  private static let files = [
    File(name: "index.html", type: "text/html; charset=utf-8", text: GuidePages.html),
    File(name: "style.css", type: "text/css; charset=utf-8", text: GuidePages.style),
    File(name: "guide.js", type: "text/javascript; charset=utf-8", text: GuidePages.script),
  ]

  private let package: [UInt8]

  /// Signs the pages with the key of a state directory, and makes the key if there is none.
  ///
  /// - Throws: `StateDirectoryError`, or `PagePackageError` if a key can't be read.
  package init(
    in directory: StateDirectory, searchPath: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws {
    let key = try directory.signingKey(
      Self.privateKeyName, publicKey: Self.publicKeyName, searchPath: searchPath)
    var package = try PagePackage(site: Self.site, version: Self.version)
    for file in Self.files {
      try package.add("guide/\(file.name)", type: file.type, Array(file.text.utf8))
    }
    self.package = try package.signed(withPrivateKeyPEM: key)
  }

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, Self.packagePath) { [package] _ in
      Answer(mediaType: "application/octet-stream", freshness: .aMinute, bytes: package)
    }
    for file in Self.files {
      let answer = Answer(mediaType: file.type, bytes: Array(file.text.utf8))
      router.on(.get, "/guide/\(file.name)") { _ in answer }
      if file.name == "index.html" { router.on(.get, "/guide/") { _ in answer } }
    }
  }
}
