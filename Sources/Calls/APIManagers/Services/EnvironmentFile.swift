import Interception

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that stores the choice of environments as JSON.
public struct EnvironmentFile: EnvironmentStore {
  /// The path of the file; its folder must exist.
  package let path: String

  // A choice is a few hundred bytes.
  private static let maximumSize = 64 << 10

  /// Creates a store; the file is read and written later.
  public init(path: String) { self.path = path }

  /// Returns the stored choice, or nil if the file does not exist.
  ///
  /// A file that can't be read, is damaged, is a symbolic link, or belongs to another user, who would choose
  /// the servers, gets another name, which the error says. At most three such files are kept. If the reason
  /// may pass, such as too many open files, the file keeps its name until another choice is made.
  package func read() throws -> EnvironmentChoice? {
    try path.checkWhole(as: "The path of the environment's file")
    let file = WholeFile(path: path)
    let reason: String
    var copy: String?
    do throws(WholeFileFault) {
      guard let bytes = try file.bytes(upTo: Self.maximumSize) else { return nil }
      if let choice = try? JSONDecoder().decode(EnvironmentChoice.self, from: Data(bytes)) { return choice }
      reason = "it is damaged"
      copy = file.setAside()
    } catch {
      reason = error.reason
      if !error.isPassing { copy = file.setAside() }
    }
    throw EnvironmentFileError(
      "The choice of environments in \(path) can't be read: \(reason); "
        + "\(WholeFile.clause(setAside: copy)). Choose the environments again.")
  }

  /// Replaces the file atomically by one that only its owner can read; a choice has at most 64 KiB.
  package func write(_ choice: EnvironmentChoice) throws {
    try path.checkWhole(as: "The path of the environment's file")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let bytes = try encoder.encode(choice)
    guard bytes.count <= Self.maximumSize else {
      throw EnvironmentFileError(
        "The choice of environments for \(path) has \(bytes.count) bytes, of at most \(Self.maximumSize); "
          + "choose fewer services.")
    }
    do throws(WholeFileFault) {
      try WholeFile(path: path).replace(with: Array(bytes), isSynchronized: false)
    } catch {
      throw EnvironmentFileError(
        "The choice of environments can't be written to \(path): \(error.reason). Check its folder.")
    }
  }
}
