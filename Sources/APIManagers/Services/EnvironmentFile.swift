#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that stores the choice of environments as JSON.
///
/// ```swift
/// let environments = EnvironmentSwitch(.release, storedIn: EnvironmentFile(path: "/data/environments.json"))
/// ```
public struct EnvironmentFile: EnvironmentStore {
  /// The path of the file; its folder must exist.
  public let path: String

  // A choice is a few hundred bytes. A file that is longer isn't one.
  private static let maximumSize = 64 << 10

  /// Creates a store; the file is read and written later.
  public init(path: String) { self.path = path }

  /// Returns the stored choice, or nil if the file does not exist.
  ///
  /// - Throws: An error of the file system, or of the decoder if the file is damaged.
  public func read() throws -> EnvironmentChoice? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let size = attributes[.size] as? Int, size <= Self.maximumSize else {
      throw CocoaError(.fileReadTooLarge)
    }
    let data = try Data(contentsOf: URL(filePath: path))
    return try JSONDecoder().decode(EnvironmentChoice.self, from: data)
  }

  /// Replaces the file atomically.
  public func write(_ choice: EnvironmentChoice) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try encoder.encode(choice).write(to: URL(filePath: path), options: .atomic)
  }
}
