import Foundation
import Switchyard

extension EstateShell {
  private static let longestFile = 1 << 20

  /// Writes the open screens to a file that only its owner may read.
  ///
  /// - Throws: `CocoaError.fileWriteUnknown` if it can't be written; `CocoaError.fileReadTooLarge`, and
  ///   nothing is written, if it would be too long to be resumed.
  package func save(to path: String) throws {
    let bytes = try JSONEncoder().encode(navigator.snapshot())
    guard bytes.count <= Self.longestFile else {
      throw CocoaError(.fileReadTooLarge, userInfo: [NSFilePathErrorKey: path])
    }
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    if !isWritten { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }

  /// Opens the screens in a file again, and prints which could not be opened; without a file it does nothing.
  package func resume(from path: String) async {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    do {
      let bytes = try file.read(upToCount: Self.longestFile) ?? Data()
      let saved = try JSONDecoder().decode(NavigationSnapshot.self, from: bytes)
      let restoration = try await navigator.restore(saved, through: mediator)
      let tab = saved.selectedTab.map { ", with the tab \($0) in front" } ?? ""
      say("  · \(restoration.restored.count) of \(saved.count) saved screens are open again\(tab)")
      for fault in restoration.faults { say("  ! \(fault)") }
    } catch {
      say("  ! the saved screens of \(path) are not opened: \(error)")
    }
  }
}
