import Foundation

/// The openssl program.
struct OpenSSLProgram {
  private let executable: URL

  /// Finds the program on the search path.
  init(searchPath: String?) throws(StateDirectoryError) {
    guard let found = ProgramSearch(path: searchPath).find("openssl") else { throw .opensslMissing }
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
    let errors = Pipe()
    process.standardError = errors
    let output: Data
    do {
      try process.run()
      output = try errors.fileHandleForReading.readToEnd() ?? Data()
    } catch {
      throw .openssl(step: arguments.first ?? "", output: StateDirectory.reason(error))
    }
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let text = String(decoding: output, as: UTF8.self)
      throw .openssl(step: arguments.prefix(2).joined(separator: " "), output: String(text.suffix(400)))
    }
  }
}
