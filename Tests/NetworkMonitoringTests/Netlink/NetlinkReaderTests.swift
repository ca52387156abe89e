#if os(Linux)
import CommandRunning
import Foundation
import SwitchyardTesting
import Testing

@testable import NetworkMonitoring

/// The reader of netlink: over a pair of sockets, and in a network namespace in which links come and go.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetlinkReaderTests {
  @Test("The end of a stream closes the thread's descriptors")
  func release() async throws {
    let ended = WaitableValue(0)
    do {
      let stream = try NetlinkReader.states(over: NetlinkSocket.open()) { ended.update { $0 += 1 } }
      var states = stream.makeAsyncIterator()
      #expect(await states.next() != nil)
    }
    try await ended.wait { $0 == 1 }
    // A stream that was never read.
    _ = try NetlinkReader.states(over: NetlinkSocket.open()) { ended.update { $0 += 1 } }
    try await ended.wait { $0 == 2 }
  }

  @Test("Child processes don't inherit the socket")
  func inheritance() throws {
    let socket = try NetlinkSocket.open()
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(socket.port != 0)
  }

  @Test("Hostile datagrams lead to new dumps, and the closed peer ends the stream")
  func hostileDatagrams() async throws {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let peer = ends[0]
    for datagram in [
      [0xFF, 0xFF, 0xFF], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 9_000),
    ] {
      #expect(send(peer, datagram, datagram.count, 0) == datagram.count)
    }
    let states = try NetlinkReader.states(over: NetlinkSocket(descriptor: ends[1], port: 0))
    close(peer)
    for await _ in states { Issue.record("Nothing valid was sent.") }
  }

  @Test(
    "In a network namespace, links, addresses and routes that are added and removed are reported",
    .enabled("Network namespaces can't be made here; they require root and iproute2.") {
      await NetworkNamespace.isAvailable()
    })
  func changes() async throws {
    let namespace = try await NetworkNamespace()
    let socket = try await namespace.openSocket()
    var states = StateReader(iterator: try NetlinkReader.states(over: socket).makeAsyncIterator())
    #expect(try await states.next { _ in true } == NetworkState(kind: .none))
    try await namespace.ip("link set lo up")
    #expect(try await states.next { $0.kind != .none } == NetworkState(kind: .loopbackOnly))
    try await namespace.ip("link add a0 type veth peer name a1")
    try await namespace.ip("addr add 198.51.100.2/24 dev a0")
    try await namespace.ip("link set a1 up")
    try await namespace.ip("link set a0 up")
    let online = NetworkState(
      kind: .wired, interfaces: [NetworkInterface(name: "a0", kind: .wired, addresses: ["198.51.100.2"])])
    #expect(try await states.next { $0.isOnline == true } == online)
    try await namespace.ip("route add default via 198.51.100.1")
    #expect(try await states.next { !$0.gateways.isEmpty }.gateways == ["198.51.100.1"])
    try await namespace.ip("addr add 203.0.113.2/24 dev a0")
    #expect(
      try await states.next { $0.interfaces.first?.addresses.count == 2 }.interfaces.first?.addresses
        == ["198.51.100.2", "203.0.113.2"])
    try await namespace.ip("addr del 203.0.113.2/24 dev a0")
    _ = try await states.next { $0.interfaces.first?.addresses == ["198.51.100.2"] }
    // The kernel reports only the link, not the routes that it removes with it.
    try await namespace.ip("link set a0 down")
    #expect(try await states.next { $0.isOnline == false } == NetworkState(kind: .loopbackOnly))
    try await namespace.ip("link set a0 up")
    #expect(try await states.next { $0.isOnline == true } == online)
    try await namespace.ip("link del a0")
    #expect(try await states.next { $0.isOnline == false } == NetworkState(kind: .loopbackOnly))
    try await namespace.remove()
  }

  private struct StateReader {
    var iterator: AsyncStream<NetworkState>.AsyncIterator

    /// Returns the first state that satisfies a condition.
    mutating func next(where condition: (NetworkState) -> Bool) async throws -> NetworkState {
      while let state = await iterator.next(isolation: nil) { if condition(state) { return state } }
      throw CancellationError()
    }
  }
}
#endif
