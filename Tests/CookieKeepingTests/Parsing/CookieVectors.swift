import Foundation
import HTTPTypes
import Interception

@testable import CookieKeeping

/// The test data for cookies, located next to the package's folder.
enum CookieVectors {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/vectors/cookies").standardizedFileURL

  static var mustRun: Bool {
    ProcessInfo.processInfo.environment["CI"] == "true"
      || FileManager.default.fileExists(atPath: folder.path)
  }

  /// Fields received for one URL, and the field to send to another one; of the http-state working group.
  struct StateCase: Decodable {
    let name: String
    let setURL: String
    let received: [String]
    let requestURL: String
    let expected: String?
    /// What RFC 6265bis gives where it differs from RFC 6265.
    let expected6265bis: String?
    let disabled: Bool?
  }

  /// A date, and the seconds since 1970 if it is one.
  struct DateCase: Decodable {
    let input: String
    let epoch: Int64?
  }

  private struct File<Case: Decodable>: Decodable {
    let cases: [Case]
  }

  static func states() throws -> [StateCase] {
    try JSONDecoder().decode(File<StateCase>.self, from: read("http-state.json")).cases
  }

  static func dates() throws -> [DateCase] {
    try JSONDecoder().decode(File<DateCase>.self, from: read("cookie-dates.json")).cases
  }

  /// Returns domains, and the registered domain that each is in, if any.
  static func suffixes() throws -> [(domain: String?, registered: String?)] {
    String(decoding: try read("public-suffix-tests.txt"), as: UTF8.self).split(separator: "\n").compactMap {
      guard let call = $0.wholeMatch(of: #/checkPublicSuffix\((null|'(.*)'), (null|'(.*)')\);/#) else {
        return nil
      }
      return (call.output.2.map(String.init), call.output.4.map(String.init))
    }
  }

  private static func read(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: name))
  }
}

extension CookieURL {
  /// Creates a URL from its text.
  init?(text: String) {
    let parts = text.components(separatedBy: "://")
    guard parts.count == 2 else { return nil }
    let slash = parts[1].firstIndex(of: "/") ?? parts[1].endIndex
    self.init(
      HTTPRequest(
        method: .get, scheme: parts[0], authority: String(parts[1][..<slash]),
        path: String(parts[1][slash...])))
  }
}
