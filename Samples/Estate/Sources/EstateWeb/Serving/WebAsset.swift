import HTTPServing
import HTTPTypes

/// A file that all pages use.
struct WebAsset: Sendable {
  /// The stylesheet and the script.
  static let all = [
    WebAsset(path: "/assets/estate.css", type: "text/css; charset=utf-8", bytes: PackageResources.estate_css),
    WebAsset(
      path: "/assets/estate.js", type: "text/javascript; charset=utf-8", bytes: PackageResources.estate_js),
  ]

  let path: String
  let type: String
  let bytes: [UInt8]

  /// The file, which a browser may keep for this run of the app.
  var response: ServerResponse {
    ServerResponse(.ok, fields: [.contentType: type, .cacheControl: "max-age=60"], body: bytes)
  }
}
