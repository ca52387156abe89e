#if os(Linux)
import CommandRunning
import Foundation

@testable import NetworkMonitoring

/// A network namespace, which requires root and iproute2.
struct NetworkNamespace: Sendable {
  /// Whether this process may make namespaces; always true in CI, where their absence is a failure.
  static func isAvailable() async -> Bool {
    if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    return (try? await Command("unshare", "-n", "ip", "link").run().status) == 0
  }

  private let name = "switchyard-\(UUID().uuidString.prefix(8))"

  init() async throws { try await run("ip", "netns", "add", name) }

  /// Runs a command of `ip` in the namespace.
  func ip(_ words: String) async throws {
    try await run(["ip", "-n", name] + words.split(separator: " ").map(String.init))
  }

  func remove() async throws { try await run("ip", "netns", "del", name) }

  /// Opens a netlink socket in the namespace; a socket stays in the one in which it was opened.
  func openSocket() async throws -> NetlinkSocket {
    let path = "/run/netns/\(name)"
    let numbers = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(CInt, UInt32), any Error>) in
      // The namespace belongs to the thread, which therefore ends afterwards.
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try Self.enter(path)
            let socket = try NetlinkSocket.open()
            return (fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0), socket.port)
          })
      }
    }
    return NetlinkSocket(descriptor: numbers.0, port: numbers.1)
  }

  private static func enter(_ path: String) throws {
    typealias SetNamespace = @convention(c) (CInt, CInt) -> CInt
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // The C library's module lacks it.
    guard descriptor >= 0, let symbol = dlsym(nil, "setns") else { throw POSIXError(.ENOSYS) }
    // CLONE_NEWNET
    guard unsafeBitCast(symbol, to: SetNamespace.self)(descriptor, 0x4000_0000) == 0 else {
      throw POSIXError(.EPERM)
    }
  }

  private func run(_ words: String...) async throws { try await run(words) }

  private func run(_ words: [String]) async throws {
    let outcome = try await Command(words: words).run()
    guard outcome.status == 0 else {
      throw CommandFailure(text: "\(words.joined(separator: " ")): \(outcome)")
    }
  }

  private struct CommandFailure: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
#endif
