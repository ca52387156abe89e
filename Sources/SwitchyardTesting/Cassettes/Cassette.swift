import Foundation

/// Recorded exchanges, stored as a file that people can read and review.
///
/// The file is JSON with sorted keys. The exchanges are in dispatch order, so an unchanged recording produces
/// an identical file.
public struct Cassette: Sendable, Hashable, Codable {
  /// The version of the format that this library reads and writes.
  public static let currentVersion = 1

  /// The version of the format.
  public let version: Int
  /// The exchanges in dispatch order.
  public var interactions: [Interaction]

  /// Creates a cassette.
  public init(interactions: [Interaction] = []) {
    version = Self.currentVersion
    self.interactions = interactions
  }

  /// Reads a cassette from a file.
  ///
  /// - Throws: ``CassetteError`` if the file cannot be read, is not a cassette, or has another version.
  public init(path: String) throws(CassetteError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw CassetteError("The cassette \(path) cannot be read; record it, or correct the path.")
    }
    struct Header: Decodable { let version: Int }
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
      throw CassetteError("The file \(path) is not a cassette; it must be JSON with a version.")
    }
    guard header.version == Self.currentVersion else {
      throw CassetteError(
        "The cassette \(path) has version \(header.version), and this library reads \(Self.currentVersion); record it again."
      )
    }
    do {
      self = try JSONDecoder().decode(Cassette.self, from: data)
    } catch {
      throw CassetteError("The cassette \(path) is damaged (\(type(of: error))); record it again.")
    }
  }

  /// Returns the cassette as JSON.
  public func json() throws(CassetteError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    } catch {
      throw CassetteError("The cassette cannot be written as JSON: \(type(of: error)).")
    }
  }

  /// Writes the cassette to a file atomically.
  ///
  /// - Throws: ``CassetteError``.
  public func write(to path: String) throws(CassetteError) {
    let text = try json()
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CassetteError(
        "The cassette \(path) cannot be written; check that its folder exists and is writable.")
    }
  }
}
