import CommandRunning
import Foundation

/// Runs command lines the way they are run after pasting.
enum Bash {
  /// How a command line is passed to bash.
  enum Entry: CaseIterable, Sendable {
    /// As a script file.
    case argument
    /// Typed into an interactive bash with history expansion.
    case typed
  }

  struct Failure: Error { let status: Int32 }

  static let isPresent = ["/bin/bash", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile)

  /// Runs a command line in an environment that doesn't affect curl.
  static func run(_ line: String, _ entry: Entry) async throws {
    // A command line may exceed the maximum length of an argument, so bash reads it from a file or its
    // standard input.
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
