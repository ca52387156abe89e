import Foundation
import Interception

@testable import RedirectFollowing

/// A reference of the web platform's URL test data with an http base, and its targets.
struct WebPlatformLocation {
  /// What the reference leads to.
  enum Outcome: Hashable {
    case target([UInt8])
    /// An invalid reference, or one that leads to another scheme.
    case refused(String)
  }

  let input: String
  let base: RedirectTarget
  /// The target by the URL Standard, percent-decoded once.
  let standard: Outcome
  let ours: Outcome

  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/vectors/wpt-urltestdata.json").standardizedFileURL

  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path)
  }

  /// Returns the references whose base is an http URL without user information.
  static func all() throws -> [WebPlatformLocation] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return (json as? [Any] ?? []).compactMap { ($0 as? [String: Any]).flatMap(WebPlatformLocation.init) }
  }

  private init?(_ entry: [String: Any]) {
    guard let input = entry["input"] as? String, let base = entry["base"] as? String, base.hasPrefix("http"),
      let base = try? RedirectTarget(URIReference(base))
    else { return nil }
    self.input = input
    self.base = base
    let href = entry["href"] as? String ?? ""
    let isWeb = entry["failure"] == nil && (href.hasPrefix("http:") || href.hasPrefix("https:"))
    standard = isWeb ? .target(Self.decoded(href)) : .refused("by the standard")
    guard let text = LocationText.encoded(input.utf8) else {
      ours = .refused("unreadable")
      return
    }
    do throws(RedirectTarget.Fault) {
      let target = try RedirectTarget(URIReference(text).resolved(against: base.reference))
      ours = .target(Self.decoded(target.url))
    } catch {
      switch error {
      case .scheme: ours = .refused("another scheme")
      case .authority(let fault): ours = .refused(fault)
      }
    }
  }

  /// Decodes once; an empty query or fragment at the end is the same as none.
  private static func decoded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last == UInt8(ascii: "?") || last == UInt8(ascii: "#") { bytes.removeLast() }
    var decoded: [UInt8] = []
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        bytes = bytes.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }
}
