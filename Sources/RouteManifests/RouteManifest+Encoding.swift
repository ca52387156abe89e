import Foundation
import Mediation

extension Encodable {
  /// The value in JSON with sorted keys, one a line, and a newline at the end.
  func sortedJSON() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension RouteManifest {
  /// The manifest in JSON, which `JSONDecoder` reads back.
  public func json() throws -> String { try sortedJSON() }

  /// The schemes by which other apps can open this one: those that a route names among its sources.
  ///
  /// A scheme that only code of the app uses needs no registration and stands in no `Info.plist`.
  public var registeredSchemes: [String] {
    sources.filter { $0.kind == "scheme" }.compactMap(\.name)
  }

  /// A property list with `CFBundleURLTypes`, to be merged into the app's `Info.plist`.
  public func infoPlist() throws -> String {
    struct URLType: Encodable {
      let CFBundleTypeRole = "Viewer"
      let CFBundleURLName: String
      let CFBundleURLSchemes: [String]
    }
    struct InfoPlist: Encodable {
      let CFBundleURLTypes: [URLType]
    }
    let schemes = registeredSchemes
    let types = schemes.isEmpty ? [] : [URLType(CFBundleURLName: app, CFBundleURLSchemes: schemes)]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return String(decoding: try encoder.encode(InfoPlist(CFBundleURLTypes: types)), as: UTF8.self)
  }
}
