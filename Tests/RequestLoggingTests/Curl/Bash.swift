import CommandRunning
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
  static func run(_ line: String, _ entry: Entry) async throws {
    // A line may be longer than the longest argument, so bash reads it from its standard input or from a
    // file.
    let folder = try TemporaryFolder(prefix: "line")
    let file = folder.url.appending(path: "line")
    try Data((line + "\n").utf8).write(to: file)
    var command: Command
    switch entry {
    case .argument:
      command = Command("/bin/bash", "--norc", "--noprofile", file.path)
    case .typed:
      command = Command("/bin/bash", "--norc", "--noprofile", "-i")
      command.input = Array("set -o history -o histexpand\nHISTFILE=\n\(line)\n".utf8)
    }
    command.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
    let outcome = try await command.run()
    guard outcome.status == 0 else { throw Failure(status: outcome.status) }
  }
}
