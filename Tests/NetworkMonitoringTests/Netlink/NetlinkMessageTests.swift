import SwitchyardTesting
import Testing

@testable import NetworkMonitoring

@Suite struct NetlinkMessageTests {
  private let datagram =
    NetlinkBytes.message(16, NetlinkBytes.link(2, "eth0"))
    + NetlinkBytes.message(3, NetlinkBytes.bytes(UInt32(0)))

  @Test("A datagram is split into its messages")
  func split() throws {
    let (messages, isComplete) = NetlinkMessage.messages(in: datagram[...])
    #expect(isComplete)
    #expect(messages.map(\.type) == [16, 3])
    let first = try #require(messages.first)
    #expect(first.sequence == 1 && first.port == 7)
    #expect(Array(first.payload) == NetlinkBytes.link(2, "eth0"))
    #expect(NetlinkMessage.attributes(first.payload.dropFirst(16))[3].map(Array.init) == Array("eth0\0".utf8))
  }

  @Test("A datagram that ends anywhere gives only whole messages, and is recognized as incomplete")
  func truncation() {
    let first = datagram.count - 20
    for length in 1..<datagram.count {
      let (messages, isComplete) = NetlinkMessage.messages(in: datagram.prefix(length))
      #expect(messages.count == (length < first ? 0 : 1))
      #expect(isComplete == (length == first))
    }
  }

  @Test(
    "A length of zero, below a header's or beyond the end stops the reading", arguments: [0, 1, 15, 4_096])
  func badLength(_ length: UInt32) {
    var bytes = datagram
    bytes.replaceSubrange(0..<4, with: NetlinkBytes.bytes(length))
    let (messages, isComplete) = NetlinkMessage.messages(in: bytes[...])
    #expect(messages.isEmpty && !isComplete)
  }

  @Test("Attributes with impossible lengths end the list", arguments: [0, 3, 5_000])
  func badAttribute(_ length: UInt16) {
    let bytes = NetlinkBytes.attribute(1, [9]) + NetlinkBytes.bytes(length) + NetlinkBytes.bytes(UInt16(2))
    #expect(Array(NetlinkMessage.attributes(bytes[...]).keys) == [1])
  }

  @Test("Random bytes and messages with random bytes changed are read without a fault")
  func random() {
    var random = SeededRandom(seed: 17)
    for round in 0..<20_000 {
      var bytes = datagram
      if round.isMultiple(of: 2) {
        for _ in 0..<4 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
      } else {
        bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      }
      var session = NetlinkSession(port: 7)
      _ = session.begin()
      let actions = session.receive(bytes[...])
      #expect(actions.count <= 3)
    }
  }
}
