import Foundation
import Mediation

extension Encodable {
  /// Returns the value as JSON with sorted keys on separate lines and a trailing newline.
  func sortedJSON() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension RouteManifest {
  /// Returns the manifest as JSON, which `JSONDecoder` can decode.
  public func json() throws -> String { try sortedJSON() }

  /// The schemes by which other apps can open this app: those that a route names among its sources.
  ///
  /// A scheme that only code of the app uses needs no registration in `Info.plist`.
  public var registeredSchemes: [String] {
    sources.filter { $0.kind == "scheme" }.compactMap(\.name)
  }

  /// Returns a property list with `CFBundleURLTypes`, to be merged into the app's `Info.plist`.
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
