import Testing

@testable import NetworkMonitoring

@Suite struct NetlinkSessionTests {
  private let done = NetlinkBytes.bytes(UInt32(0))

  private func receive(
    _ session: inout NetlinkSession, _ type: UInt16, flags: UInt16 = 2, sequence: UInt32, port: UInt32 = 7,
    _ payload: [UInt8]
  ) -> [NetlinkSession.Action] {
    session.receive(
      NetlinkBytes.message(type, flags: flags, sequence: sequence, port: port, payload)[...])
  }

  /// Answers the three requests of a dump whose first has a sequence number.
  private func finish(
    _ session: inout NetlinkSession, from sequence: UInt32, flags: UInt16 = 2
  ) -> [NetlinkSession.Action] {
    _ = receive(&session, 3, sequence: sequence, done)
    _ = receive(&session, 3, flags: flags, sequence: sequence + 1, done)
    return receive(&session, 3, sequence: sequence + 2, done)
  }

  @Test("A dump asks for links, addresses and routes in turn, and publishes them together")
  func dump() {
    var session = NetlinkSession(port: 7)
    #expect(session.begin() == NetlinkMessage.dumpRequest(18, sequence: 1))
    #expect(receive(&session, 16, sequence: 1, NetlinkBytes.link(2, "eth0")) == [])
    #expect(receive(&session, 3, sequence: 1, done) == [.send(NetlinkMessage.dumpRequest(22, sequence: 2))])
    #expect(receive(&session, 20, sequence: 2, NetlinkBytes.address(2, [192, 0, 2, 9])) == [])
    #expect(receive(&session, 3, sequence: 2, done) == [.send(NetlinkMessage.dumpRequest(26, sequence: 3))])
    let table = NetworkTable([
      (16, NetlinkBytes.link(2, "eth0")), (20, NetlinkBytes.address(2, [192, 0, 2, 9])),
    ])
    #expect(receive(&session, 3, sequence: 3, done) == [.publish(table)])
    #expect(!session.needsDump)
  }

  @Test("A notification between two dumps requires a new one; one about a network's route doesn't")
  func notification() {
    var session = NetlinkSession(port: 7)
    _ = session.begin()
    _ = finish(&session, from: 1)
    let other = NetlinkBytes.defaultRoute(2, gateway: nil, prefix: 24)
    #expect(receive(&session, 24, flags: 0, sequence: 0, port: 0, other) == [])
    #expect(!session.needsDump)
    let route = NetlinkBytes.defaultRoute(2, gateway: [192, 0, 2, 1])
    #expect(receive(&session, 25, flags: 0, sequence: 0, port: 0, route) == [])
    #expect(session.needsDump)
    #expect(session.begin() == NetlinkMessage.dumpRequest(18, sequence: 4))
    #expect(!session.needsDump)
  }

  @Test("A notification during a dump is not mistaken for its content, and requires another dump")
  func concurrentNotification() {
    var session = NetlinkSession(port: 7)
    _ = session.begin()
    // Another process has caused it, with the same sequence number.
    #expect(receive(&session, 16, flags: 0, sequence: 1, port: 99, NetlinkBytes.link(2, "eth0")) == [])
    #expect(finish(&session, from: 1) == [.publish(NetworkTable())])
    #expect(session.needsDump)
  }

  @Test("The end of an earlier dump is ignored")
  func staleEnd() {
    var session = NetlinkSession(port: 7)
    _ = session.begin()
    #expect(session.noteLoss() == [])
    _ = session.begin()
    #expect(receive(&session, 3, sequence: 1, done) == [])
    #expect(receive(&session, 3, sequence: 2, done) == [.send(NetlinkMessage.dumpRequest(22, sequence: 3))])
  }

  @Test("An interrupted dump is repeated, and at the tenth time published")
  func interruption() {
    var session = NetlinkSession(port: 7)
    for round in 0..<9 as Range<UInt32> {
      _ = session.begin()
      #expect(finish(&session, from: round * 3 + 1, flags: 0x12) == [])
      #expect(session.needsDump)
    }
    _ = session.begin()
    #expect(finish(&session, from: 28, flags: 0x12) == [.publish(NetworkTable())])
  }

  @Test("Lost and damaged datagrams lead to a new dump, however many")
  func loss() {
    var session = NetlinkSession(port: 7)
    for round in 0..<50 {
      _ = session.begin()
      #expect((round.isMultiple(of: 2) ? session.noteLoss() : session.receive([1, 2, 3])) == [])
      #expect(session.needsDump)
    }
  }

  @Test("A kernel that refuses ten dumps in a row ends the session with its error")
  func refusal() {
    var session = NetlinkSession(port: 7)
    for round in 1...10 as ClosedRange<UInt32> {
      _ = session.begin()
      let actions = receive(&session, 2, sequence: round, NetlinkBytes.bytes(Int32(-1)))
      #expect(actions == (round == 10 ? [.fail(code: 1)] : []))
    }
  }
}
