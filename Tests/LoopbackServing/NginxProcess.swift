import Foundation

/// A running nginx; it ends when the test process does, since it is watched through a pipe.
final class NginxProcess: Sendable {
  private let process = Process()
  private let lifeline = Pipe()
  private let folder: URL

  init(program: String, folder: URL) throws {
    self.folder = folder
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The shell reads until the other end of the pipe is gone, however that comes about.
    process.arguments = [
      "-c",
      #""$0" -p "$1" -e error.log -c nginx.conf & server=$!; read -r line; kill -9 $server; wait $server"#,
      program,
      folder.path,
    ]
    process.standardInput = lifeline
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
  }

  /// Connects until every port answers.
  func waitUntilReady(ports: [Int]) throws {
    let end = Date(timeIntervalSinceNow: 10)
    for port in ports {
      while true {
        if let descriptor = try LoopbackSocket.connected(to: "127.0.0.1", port: port) {
          close(descriptor)
          break
        }
        guard Date() < end, process.isRunning else {
          let log =
            (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
          stop()
          throw LoopbackError(sentence: "nginx did not answer on port \(port): \(log)")
        }
        // Another program's start gives no event to wait for.
        usleep(10_000)
      }
    }
  }

  func stop() {
    try? lifeline.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
