import Foundation
import Synchronization

/// A program with arguments, run with a time limit.
struct Program {
  struct Ending {
    let status: Int32
    let output: String
    let errors: String
  }

  var path: String
  var arguments: [String]
  /// Variables beside those of this process.
  var environment: [String: String] = [:]
  /// The time limit in seconds.
  var limit: Double = 300

  /// Runs the program; throws if it doesn't start, exceeds the time limit or exits with a status other than
  /// 0.
  func run() throws -> Ending {
    let ending = try runWhateverItsStatus()
    guard ending.status == 0 else {
      let words = ending.errors.split(separator: "\n").suffix(3).joined(separator: "; ")
      throw Trouble("\(name) ended with \(ending.status): \(words)")
    }
    return ending
  }

  func runWhateverItsStatus() throws -> Ending {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do { try process.run() } catch { throw Trouble("\(name) does not start: \(error)") }
    let isLate = Atomic(false)
    let watchdog = DispatchWorkItem { [process] in
      isLate.store(true, ordering: .relaxed)
      kill(process.processIdentifier, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: watchdog)
    // Both pipes are drained concurrently, because a full pipe would block the program.
    let rest = Mutex(Data())
    let reading = DispatchGroup()
    DispatchQueue.global().async(group: reading) {
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      rest.withLock { $0 = data }
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    reading.wait()
    process.waitUntilExit()
    watchdog.cancel()
    guard !isLate.load(ordering: .relaxed) else {
      throw Trouble("\(name) exceeded its time limit of \(limit) s")
    }
    return Ending(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: rest.withLock { $0 }, as: UTF8.self))
  }

  private var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// Returns the program as it runs on the libcurl of a folder.
  func on(_ libcurl: String) -> Program {
    var program = self
    program.environment["LD_LIBRARY_PATH"] = libcurl
    return program
  }

  /// Returns the path of a program in the PATH or in the directories for servers.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"])
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A program that computes all the time, so that the measured ones share a core with it.
struct BusyLoop {
  private let process = Process()

  /// Starts the program; nil if there is no shell.
  init?() {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "while :; do :; done"]
    do { try process.run() } catch { return nil }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
