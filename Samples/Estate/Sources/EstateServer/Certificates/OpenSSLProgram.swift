import Foundation

struct OpenSSLProgram {
  private let executable: URL

  /// Finds the program on the search path.
  init(searchPath: String?) throws(StateDirectoryError) {
    guard let found = URL(program: "openssl", on: searchPath) else { throw .opensslMissing }
    executable = found
  }

  /// Runs one of its commands; throws with the end of its error output if it fails.
  func run(_ arguments: [String], in directory: StateDirectory) throws(StateDirectoryError) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    // A file, because a program that is started at the same moment may inherit a pipe, which then has no end.
    let log = FileManager.default.temporaryDirectory.appending(path: "openssl-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: log) }
    let output: Data
    do {
      try Data().write(to: log)
      let errors = try FileHandle(forWritingTo: log)
      defer { try? errors.close() }
      process.standardError = errors
      try process.run()
      process.waitUntilExit()
      output = try Data(contentsOf: log)
    } catch {
      throw .openssl(step: arguments.first ?? "", output: StateDirectory.reason(error))
    }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let text = String(decoding: output, as: UTF8.self)
      throw .openssl(step: arguments.prefix(2).joined(separator: " "), output: String(text.suffix(400)))
    }
  }
}

extension URL {
  /// Finds a program in the folders of a search path, of which `nil` stands for the usual ones, and in
  /// others.
  init?(program name: String, on path: String?, or others: [String] = []) {
    let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init) + others
    let files = folders.map { URL(filePath: $0).appending(path: name) }
    guard let found = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      return nil
    }
    self = found
  }
}
