import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import Synchronization
import Testing

@testable import CurlTransport

@Suite("A dispatcher's descriptors", .serialized, .timeLimit(.minutes(5)))
struct DescriptorTests {
  @Test("The thread of a dispatcher ends after a request that was cancelled before it started")
  func cancelledEarly() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    for _ in 0..<20 {
      let mailbox = await Task {
        let dispatcher = CurlDispatcher()
        withUnsafeCurrentTask { $0?.cancel() }
        let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
        #expect(error?.kind == .cancelled(.task))
        return dispatcher.owner.mailbox
      }.value
      await mailbox.waitUntilEnded()
    }
  }

  @Test("The thread of a dispatcher ends after a request that the queue refused")
  func refused() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let mailbox = try await {
      let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1, queue: 0)))
      let first = Task { try await dispatcher.dispatch(.get(server)) }
      try await server.wait { $0.requests == 1 }
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
      #expect(error?.kind == .queueFull)
      first.cancel()
      _ = await first.result
      return dispatcher.owner.mailbox
    }()
    await mailbox.waitUntilEnded()
  }

  #if os(Linux)
  @Test("A child process inherits neither connections nor libcurl's wake-up pair, but the app's own pairs")
  func inherited() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let pairs = try (0..<80).map { _ in
      var ends: [CInt] = [-1, -1]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      return ends
    }
    defer { for end in pairs.joined() { close(end) } }
    let before = Self.ownSockets(to: nil)
    let dispatcher = CurlDispatcher()
    _ = try await dispatcher.dispatch(.get(server))
    let own = Self.ownSockets(to: server.port).subtracting(before)
    #expect(!own.isEmpty)
    let inherited = try Self.socketsOfChild()
    #expect(own.isDisjoint(with: inherited))
    for end in pairs.joined() {
      let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(end)")
      #expect(inherited.contains(name))
    }
    await dispatcher.shutdown()
  }

  @Test("A connection that a forked child shares leaves the thread at rest when it is closed")
  func forked() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      gate.wait()
      try wire.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    })
    let clock = ReadingCounter()
    let dispatcher = CurlDispatcher(configuration: .init(), time: TimeSource(clock))
    let task = Task { try await dispatcher.dispatch(.get(server)) }
    try await server.wait { $0.requests == 1 }
    let copies = OpenSockets.copies(to: server.port)
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    gate.open()
    _ = try await task.value
    try await server.wait { $0.closed == 1 }
    // The loop reads the clock in every round: thousands of times if the closed connection wakes it.
    let before = clock.readings
    try await Task.sleep(for: .milliseconds(500))  // clock: a thread at rest provides no event
    #expect(clock.readings - before < 20)
    await dispatcher.shutdown()
  }

  /// The names of the unnamed local sockets of this process, and of those connected to a port.
  private static func ownSockets(to port: Int?) -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    var sockets: Set<String> = []
    for descriptor in names.compactMap({ CInt($0) }) {
      var name = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let code = withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
      }
      let isLocal = code == 0 && name.sin_family == sa_family_t(AF_UNIX)
      let isConnection =
        code == 0 && name.sin_family == sa_family_t(AF_INET)
        && port.map { Int(UInt16(bigEndian: name.sin_port)) == $0 } ?? false
      guard isLocal || isConnection else { continue }
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      if let path { sockets.insert(path) }
    }
    return sockets
  }

  /// The names of the sockets that a child process finds open.
  private static func socketsOfChild() throws -> Set<String> {
    let file = FileManager.default.temporaryDirectory.appending(path: "inherited-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let script = "for f in /proc/self/fd/*; do readlink $f; done > '\(file.path)'"
    var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map { (text: String) in strdup(text)
    }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    try #require(posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ) == 0)
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let text = try String(contentsOf: file, encoding: .utf8)
    return Set(text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("socket:") })
  }
  #endif

  @Test("A dispatcher that finds no descriptor says so, and works once there are some")
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      let server = try ScriptedServer { _ in .text("ok") }
      let dispatcher = CurlDispatcher()
      let taken = ExhaustedDescriptors(limit: 256)
      for _ in 0..<3 {
        let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
        #expect(error?.kind == .descriptorsExhausted)
        #expect(error?.reason.contains("ulimit -n") == true)
        #expect(error?.requestMayHaveBeenProcessed == false)
      }
      taken.release()
      #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
      await dispatcher.shutdown()
    }
  }

  @Test("Requests that find no descriptor for their connection say so, under load too")
  func exhaustedUnderLoad() async {
    await #expect(processExitsWith: .success) {
      let server = try ScriptedServer { _ in .text("ok") }
      let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 300, perOrigin: 300)))
      #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
      let taken = ExhaustedDescriptors(limit: 256, except: 4)
      let kinds = await withTaskGroup(of: NetworkError.Kind?.self) { group in
        for _ in 0..<300 {
          group.addTask {
            await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }?.kind
          }
        }
        return await group.reduce(into: [NetworkError.Kind?]()) { $0.append($1) }
      }
      taken.release()
      let failures = kinds.compactMap(\.self)
      #expect(failures.contains(.descriptorsExhausted))
      #expect(!failures.contains(.connect))
      #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
      await dispatcher.shutdown()
    }
  }
}

/// The continuous clock, which counts how often it is read.
private final class ReadingCounter: Clock {
  private let count = Atomic(0)

  var readings: Int { count.load(ordering: .relaxed) }

  var now: ContinuousClock.Instant {
    count.add(1, ordering: .relaxed)
    return ContinuousClock.now
  }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)  // clock: no test sleeps on it
  }
}

/// Every descriptor that a process may open, taken; for a process of its own.
private struct ExhaustedDescriptors {
  private let taken: [CInt]

  init(limit: rlim_t, except free: Int = 0) {
    var limits = rlimit(rlim_cur: limit, rlim_max: limit)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    var taken: [CInt] = []
    while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
    for descriptor in taken.suffix(free) { close(descriptor) }
    self.taken = taken.dropLast(free)
  }

  func release() { for descriptor in taken { close(descriptor) } }
}
