import HTTPServing
import Switchyard

/// A file that all pages use.
struct WebAsset: Sendable {
  static let all = [
    WebAsset(
      path: "/assets/estate.css", type: "text/css; charset=utf-8",
      bytes: compact(PackageResources.estate_css, removingSpacesOf: ["; ", ": ", ", ", " { ", " }"])),
    WebAsset(
      path: "/assets/estate.js", type: "text/javascript; charset=utf-8",
      bytes: compact(PackageResources.estate_js)),
  ]

  let path: String
  let type: String
  let bytes: [UInt8]

  /// The file, which a browser may keep for this run of the app.
  var response: ServerResponse {
    ServerResponse(.ok, fields: [.contentType: type, .cacheControl: "max-age=60"], body: bytes)
  }

  /// The file without the indentation of its lines, and without the spaces of the given separators.
  private static func compact(_ bytes: [UInt8], removingSpacesOf separators: [String] = []) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
    let text = separators.reduce(lines.joined(separator: "\n")) { text, separator in
      text.replacing(separator, with: separator.filter { $0 != " " })
    }
    return Array(text.utf8)
  }
}
