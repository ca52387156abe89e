import APIManagers
import BodyFormats
import Interception
import ScreenContents

/// Reads the JSON of parts.
enum PartContent {
  /// The maximum number of arrays and objects nested within each other.
  static let maximumDepth = 32

  /// Reads a content as JSON.
  static func json(_ content: [UInt8]) throws(BodyDecodingError) -> JSONDocument {
    try JSONDocument(content, maximumDepth: maximumDepth, maximumLength: DeploymentPart.standardSize)
  }
}

extension JSONDocument {
  /// Returns the values of an object by their keys, of which all are known.
  ///
  /// A misspelled key would otherwise be ignored without an error.
  ///
  /// - Throws: `BodyDecodingError` for another value or key.
  func values(knowing keys: Set<String>) throws -> [String: JSONDocument] {
    let values = try [String: JSONDocument](json: self)
    if let (key, value) = values.filter({ !keys.contains($0.key) }).min(by: { $0.key < $1.key }) {
      let known = keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw value.mismatch("has the unknown key \"\(DeploymentError.shown(key))\"; use one of \(known)")
    }
    return values
  }

  /// Returns a number of seconds as a duration.
  func seconds(in range: ClosedRange<Double>) throws -> Duration {
    let seconds = try Double(json: self)
    guard range.contains(seconds) else {
      throw mismatch("should be \(range.lowerBound) to \(range.upperBound) seconds")
    }
    return .milliseconds(Int64(seconds * 1_000))
  }
}

extension DeploymentError {
  /// Creates the error of a part that has refused its content.
  init(faultOf error: any Error, in content: [UInt8], version: UInt64, part: String) {
    let (offset, problem): (Int?, String) =
      switch error {
      case let error as BodyDecodingError: (error.offset, error.reason)
      case let error as DowngradeDocumentError: (error.offset, error.description)
      case let fault as DeploymentPart.Fault: (nil, fault.reason)
      case let error as ScreenError: (nil, error.reason)
      default: (nil, "\(error)")
      }
    let line =
      (error as? DeploymentPart.Fault)?.line ?? (error as? ScreenError)?.line
      ?? offset.map { JSONDocument.line(at: $0, in: content) }
    self.init(.part(Self.sentence(problem)), version: version, part: part, line: line)
  }

  /// Returns at most 2,000 characters of a text, without control characters but line breaks.
  private static func sentence(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(2_000).map { scalar in
        scalar.properties.generalCategory != .control || scalar == "\n" ? Character(scalar) : "?"
      })
  }
}
