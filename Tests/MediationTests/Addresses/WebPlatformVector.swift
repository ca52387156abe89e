import Foundation
import Testing

@testable import Mediation

/// A URL of the web platform's test data, with the standard's result and this profile's.
struct WebPlatformVector {
  /// The parts of a URL in a form that makes both results comparable.
  struct Parts: Equatable {
    var scheme: String
    var host: String
    var port: String
    var path: [[UInt8]]
    var query: [[UInt8]]
    var fragment: [UInt8]
  }

  let input: String
  let hasBase: Bool
  /// The result of the standard; nil if it rejects the text.
  let standard: Parts?
  let ours: Result<Parts, RouteURL.SyntaxError>

  static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/vectors/wpt-urltestdata.json")

  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path)
  }

  static func all() throws -> [WebPlatformVector] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(json as? [Any]).compactMap { ($0 as? [String: Any]).flatMap(WebPlatformVector.init) }
  }

  private init?(_ entry: [String: Any]) {
    guard let input = entry["input"] as? String else { return nil }
    func text(_ key: String) -> String { entry[key] as? String ?? "" }
    self.input = input
    hasBase = entry["base"] is String
    if entry["failure"] != nil {
      standard = nil
    } else {
      var path = text("pathname").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        .map { Self.decoded($0) }
      // The profile ignores one trailing slash (U10).
      if path.last == [] { path.removeLast() }
      standard = Parts(
        scheme: String(text("protocol").dropLast()), host: text("hostname"), port: text("port"), path: path,
        query: text("search").dropFirst().split(separator: "&").map { Self.decoded($0, plusIsSpace: true) },
        fragment: Self.decoded(text("hash").dropFirst()))
    }
    do throws(RouteURL.SyntaxError) {
      let url = try RouteURL(input)
      ours = .success(
        Parts(
          scheme: url.scheme, host: url.host, port: url.port.map(String.init) ?? "",
          path: url.segments.map { Array($0.utf8) },
          query: url.query.map { Array($0.value.isEmpty ? $0.name.utf8 : "\($0.name)=\($0.value)".utf8) },
          fragment: Array((url.fragment ?? "").utf8)))
    } catch {
      ours = .failure(error)
    }
  }

  /// Decodes once; implemented separately from the code under test.
  private static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> [UInt8] {
    var bytes = Array(text.utf8)[...]
    var decoded: [UInt8] = []
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        bytes = bytes.dropFirst(2)
      } else {
        decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    // To the profile, `name=` and `name` are the same (U13).
    if plusIsSpace, decoded.last == UInt8(ascii: "="),
      decoded.firstIndex(of: UInt8(ascii: "=")) == decoded.count - 1
    {
      decoded.removeLast()
    }
    return decoded
  }
}
