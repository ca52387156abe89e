import Foundation
import HTTPTypes
import Interception

/// The files of test vectors, located next to the package's folder.
enum SignatureVectors {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../../shared/vectors"
  ).standardizedFileURL

  /// Whether the suites can run; on CI they must.
  static let mustRun =
    FileManager.default.fileExists(atPath: folder.path) || ProcessInfo.processInfo.environment["CI"] == "true"

  static func read<Content: Decodable>(_ path: String, as type: Content.Type) throws -> Content {
    try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: path)))
  }

  /// Prints the number of cases of a file, so that the log of a run shows what was covered.
  static func report(_ path: String, _ count: Int) { print("\(path): \(count) cases") }

  /// Parses a time such as "2015-08-30T12:36:00Z" or "20130524T000000Z".
  static func time(_ text: String) throws -> WallTime {
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }.map { Int64($0 - 0x30) }
    func number(_ range: Range<Int>) -> Int64 { digits[range].reduce(0) { $0 * 10 + $1 } }
    guard digits.count == 14,
      let date = CivilDate(
        year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
        minute: number(10..<12), second: number(12..<14))
    else { throw Malformed(text: text) }
    return WallTime(secondsSince1970: date.secondsSince1970)
  }

  struct Malformed: Error { let text: String }
}

extension TimeSource {
  /// A time source whose wall clock stands still.
  static func fixed(_ time: WallTime) -> TimeSource { TimeSource(ContinuousClock(), wall: { time }) }
}

extension HTTPFields {
  /// Creates fields from pairs, with repeated names.
  init(pairs: [[String]]) throws {
    self.init()
    for pair in pairs {
      guard let name = HTTPField.Name(pair[0]) else { throw SignatureVectors.Malformed(text: pair[0]) }
      append(HTTPField(name: name, value: pair[1]))
    }
  }

  /// Returns the value of a field by its name as text.
  func text(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

  /// The fields as lines, in lower case names and sorted.
  var sortedLines: [String] { map { "\($0.name.canonicalName):\($0.value)" }.sorted() }
}

extension String {
  /// The value after `name` up to the next comma, such as the signature in an Authorization field.
  func part(_ name: String) -> String? {
    range(of: name).map { String(self[$0.upperBound...].prefix { $0 != "," }) }
  }
}
