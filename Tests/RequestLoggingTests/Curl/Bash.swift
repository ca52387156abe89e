import Foundation

/// Runs lines as a person would who pastes them.
enum Bash {
  /// How a line gets to bash.
  enum Entry: CaseIterable, Sendable {
    /// As `bash -c`.
    case argument
    /// Typed into an interactive bash, whose history expansion is on.
    case typed
  }

  struct Failure: Error { let status: Int32 }

  static let isPresent = ["/bin/bash", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile)

  /// Runs a line, with nothing in the environment that would change what curl does.
  static func run(_ line: String, _ entry: Entry) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let input = FileManager.default.temporaryDirectory.appending(path: "line-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: input) }
    switch entry {
    case .argument:
      // A line may be longer than the longest argument, so bash reads it from a file.
      try Data((line + "\n").utf8).write(to: input)
      process.arguments = ["--norc", "--noprofile", input.path]
      process.standardInput = FileHandle.nullDevice
    case .typed:
      try Data("set -o history -o histexpand\nHISTFILE=\n\(line)\n".utf8).write(to: input)
      process.arguments = ["--norc", "--noprofile", "-i"]
      process.standardInput = try FileHandle(forReadingFrom: input)
    }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
  }
}
