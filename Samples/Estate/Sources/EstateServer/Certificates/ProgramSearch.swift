import Foundation

/// Finds programs by name in the folders of a search path.
struct ProgramSearch {
  private let folders: [Substring]

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - path: The value of `PATH`; `nil` for the usual folders.
  ///   - extra: Folders that are searched after those of the path.
  init(path: String?, extra: [String] = []) {
    folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") + extra.map { $0[...] }
  }

  /// Returns the first executable file of this name.
  func find(_ name: String) -> URL? {
    folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
