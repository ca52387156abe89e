import Interception
import Testing

@testable import CurlTransport

@Suite struct DispatchStateTests {
  static let home = WebOrigin(scheme: .https, host: "home.test", port: 443)
  static let away = WebOrigin(scheme: .https, host: "away.test", port: 443)

  /// A state with the actions that came out of it.
  struct Desk {
    var state: DispatchState
    var actions: [DispatchState.Action] = []
    private var last: UInt64 = 0

    init(total: Int = 64, perOrigin: Int = 2, streams: Int = 4, queue: Int = 8) {
      state = DispatchState(
        limits: .init(total: total, perOrigin: perOrigin, streamsPerOrigin: streams, queue: queue))
    }

    @discardableResult
    mutating func submit(
      _ origin: WebOrigin = DispatchStateTests.home, priority: RequestOptions.Priority = .normal,
      at now: Duration = .zero, deadline: Duration? = nil, alone: Bool = false
    ) -> TransferID {
      last += 1
      let id = TransferID(number: last)
      state.submit(
        .init(
          id: id, origin: origin, priority: priority,
          deadline: deadline.map { .init(time: $0, phase: .queue) }, needsOwnConnection: alone),
        at: now, &actions)
      return id
    }

    mutating func take() -> [DispatchState.Action] {
      defer { actions = [] }
      return actions
    }
  }

  @Test func `what has room starts at once, the rest waits for it`() {
    var desk = Desk(perOrigin: 2)
    let first = desk.submit()
    let second = desk.submit()
    let third = desk.submit()
    #expect(desk.take() == [.start(first), .start(second)])
    desk.state.finish(first, &desk.actions)
    #expect(desk.take() == [.start(third)])
  }

  @Test func `what travels alone waits for a connection, the rest of its origin for a stream`() {
    var desk = Desk(perOrigin: 2, streams: 3)
    let first = desk.submit()
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    let lone = (0..<3).map { _ in desk.submit(alone: true) }
    let shared = (0..<3).map { _ in desk.submit() }
    #expect(
      desk.take() == [.start(first), .start(lone[0]), .start(lone[1]), .start(shared[0]), .start(shared[1])])
    desk.state.finish(first, &desk.actions)
    #expect(desk.take() == [.start(shared[2])])
    desk.state.finish(lone[0], &desk.actions)
    #expect(desk.take() == [.start(lone[2])])
    #expect(desk.state.isMultiplexed(Self.home) == true)
  }

  @Test func `an origin without room does not hold back another one`() {
    var desk = Desk(perOrigin: 1)
    let first = desk.submit(Self.home)
    desk.submit(Self.home)
    let other = desk.submit(Self.away)
    #expect(desk.take() == [.start(first), .start(other)])
  }

  @Test func `beyond the streams that a server lets a connection carry, connections are opened one by one`() {
    var desk = Desk(perOrigin: 20, streams: 20, queue: 20)
    let first = (0..<3).map { _ in desk.submit() }
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    // Two leave over one connection; the third opens another one, over which it is answered, and a fourth
    // follows it.
    for (id, port) in zip(first, [1, 1, 2]) { desk.state.depart(id, from: nil, to: port, &desk.actions) }
    #expect(desk.take() == first.map { .start($0) })
    let next = (0..<5).map { _ in desk.submit() }
    #expect(desk.take() == [.start(next[0])], "the second connection has room for one")
    desk.state.depart(next[0], from: nil, to: 2, &desk.actions)
    #expect(desk.take() == [], "both are full, and have not answered")
    desk.state.finish(first[0], port: 1, hasAnswer: true, &desk.actions)
    #expect(desk.take() == [.start(next[1])])
    desk.state.depart(next[1], from: nil, to: 1, &desk.actions)
    desk.state.finish(first[2], port: 2, hasAnswer: true, &desk.actions)
    #expect(desk.take() == [.start(next[2])])
    desk.state.depart(next[2], from: nil, to: 2, &desk.actions)
    #expect(desk.take() == [.start(next[3])], "both are full, and one request opens a third")
    desk.state.depart(next[3], from: nil, to: 3, &desk.actions)
    #expect(desk.take() == [.start(next[4])])
    #expect(desk.state.waiting == 0)
  }

  @Test func `an origin without streams starts all that its connections may be`() {
    var desk = Desk(perOrigin: 6)
    let first = desk.submit()
    desk.state.depart(first, from: nil, to: 1, &desk.actions)
    desk.state.learn(isMultiplexed: false, origin: Self.home, &desk.actions)
    let second = desk.submit()
    desk.state.depart(second, from: nil, to: 2, &desk.actions)
    let rest = (0..<4).map { _ in desk.submit() }
    #expect(desk.take() == ([first, second] + rest).map { .start($0) })
  }

  @Test func `what an origin has shown of its connections is told`() {
    var desk = Desk()
    let plain = WebOrigin(scheme: .http, host: "home.test", port: 80)
    for origin in [Self.home, plain] { desk.submit(origin) }
    #expect(desk.state.isMultiplexed(Self.home) == nil)
    #expect(desk.state.isMultiplexed(plain) == false)
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    #expect(desk.state.isMultiplexed(Self.home) == true)
    #expect(desk.state.isMultiplexed(Self.away) == nil)
  }

  @Test func `a request that leaves again counts where it is`() {
    var desk = Desk(perOrigin: 20, streams: 20, queue: 20)
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    let first = desk.submit()
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    desk.state.depart(first, from: nil, to: 1, &desk.actions)
    desk.state.depart(first, from: 1, to: 2, &desk.actions)
    let rest = (0..<5).map { _ in desk.submit() }
    #expect(desk.take() == ([first] + rest).map { .start($0) }, "one connection was in use at a time")
  }

  @Test func `the total limit holds over all origins`() {
    var desk = Desk(total: 2, perOrigin: 2)
    let first = desk.submit(Self.home)
    let second = desk.submit(Self.home)
    let other = desk.submit(Self.away)
    #expect(desk.take() == [.start(first), .start(second)])
    desk.state.finish(second, &desk.actions)
    #expect(desk.take() == [.start(other)])
  }

  @Test func `a full queue refuses one more`() {
    var desk = Desk(perOrigin: 1, queue: 1)
    desk.submit()
    desk.submit()
    _ = desk.take()
    let extra = desk.submit()
    #expect(desk.take() == [.refuse(extra, .requests(1))])
  }

  @Test func `the higher priority goes first, equals in their order`() {
    var desk = Desk(perOrigin: 1)
    let running = desk.submit()
    let low = desk.submit(priority: .low)
    let normal = desk.submit()
    let later = desk.submit()
    let high = desk.submit(priority: .high)
    _ = desk.take()
    var order: [DispatchState.Action] = []
    for id in [running, high, normal, later] {
      desk.state.finish(id, &desk.actions)
      order += desk.take()
    }
    #expect(order == [.start(high), .start(normal), .start(later), .start(low)])
  }

  @Test func `E5: waiting makes up for a low priority`() {
    var desk = Desk(perOrigin: 1)
    let running = desk.submit()
    let low = desk.submit(priority: .low, at: .zero)
    // From weight 4 to 128 it is five doublings, so five seconds at the default ageing.
    let tooLate = desk.submit(priority: .high, at: .seconds(6))
    _ = desk.take()
    desk.state.finish(running, &desk.actions)
    #expect(desk.take() == [.start(low)])
    desk.state.finish(low, &desk.actions)
    #expect(desk.take() == [.start(tooLate)])
  }

  @Test func `an origin that multiplexes has room for more`() {
    var desk = Desk(perOrigin: 1, streams: 3)
    let first = desk.submit()
    let second = desk.submit()
    let third = desk.submit()
    desk.submit()
    #expect(desk.take() == [.start(first)])
    desk.state.learn(isMultiplexed: true, origin: Self.home, &desk.actions)
    #expect(desk.take() == [.start(second), .start(third)])
    desk.state.learn(isMultiplexed: false, origin: Self.home, &desk.actions)
    desk.state.finish(first, &desk.actions)
    #expect(desk.take() == [])
  }

  @Test func `an origin of https that has not answered takes no more than one connection may carry`() {
    func starts(_ ids: ArraySlice<TransferID>) -> [DispatchState.Action] { ids.map { .start($0) } }
    var desk = Desk(perOrigin: 8, streams: 2, queue: 20)
    let ids = (0..<6).map { _ in desk.submit() }
    let atOnce = desk.take()
    #expect(atOnce == starts(ids[..<2]))
    desk.state.learn(isMultiplexed: false, origin: Self.home, &desk.actions)
    let afterwards = desk.take()
    #expect(afterwards == starts(ids[2...]))

    let plain = WebOrigin(scheme: .http, host: "home.test", port: 80)
    let others = (0..<6).map { _ in desk.submit(plain) }
    let overHTTP = desk.take()
    #expect(overHTTP == starts(others[...]), "there is nothing to learn")
  }

  @Test func `a wait beyond its limit ends, and the next limit is known`() {
    var desk = Desk(perOrigin: 1)
    desk.submit()
    let short = desk.submit(deadline: .seconds(1))
    let long = desk.submit(deadline: .seconds(3))
    _ = desk.take()
    #expect(desk.state.nextTick == .seconds(1))
    desk.state.tick(at: .milliseconds(999), &desk.actions)
    #expect(desk.take() == [])
    desk.state.tick(at: .seconds(1), &desk.actions)
    #expect(desk.take() == [.expire(short, .queue)])
    #expect(desk.state.nextTick == .seconds(3))
    desk.state.tick(at: .seconds(3), &desk.actions)
    #expect(desk.take() == [.expire(long, .queue)])
    #expect(desk.state.nextTick == nil)
  }

  @Test func `a limit that has passed on arrival ends the request there`() {
    var desk = Desk()
    let id = desk.submit(at: .seconds(2), deadline: .seconds(1))
    #expect(desk.take() == [.expire(id, .queue)])
  }

  @Test func `cancelling drops what waits, stops what runs and ignores the rest`() {
    var desk = Desk(perOrigin: 1)
    let running = desk.submit()
    let waiting = desk.submit()
    _ = desk.take()
    desk.state.cancel(waiting, &desk.actions)
    #expect(desk.take() == [.drop(waiting, .task)])
    desk.state.cancel(running, &desk.actions)
    #expect(desk.take() == [.abort(running, .task)])
    desk.state.finish(running, &desk.actions)
    desk.state.cancel(running, &desk.actions)
    desk.state.cancel(TransferID(number: 99), &desk.actions)
    #expect(desk.take() == [])
  }

  @Test func `closing drops what waits, and ends after the last one that runs`() {
    var desk = Desk(perOrigin: 1)
    let running = desk.submit()
    let waiting = desk.submit()
    _ = desk.take()
    desk.state.close(graceEnd: .seconds(5), &desk.actions)
    #expect(desk.take() == [.drop(waiting, .shutdown)])
    let late = desk.submit()
    #expect(desk.take() == [.drop(late, .shutdown)])
    desk.state.finish(running, &desk.actions)
    #expect(desk.take() == [.drained])
  }

  @Test func `the grace ends what still runs`() {
    var desk = Desk()
    let running = desk.submit()
    _ = desk.take()
    desk.state.close(graceEnd: .seconds(5), &desk.actions)
    #expect(desk.state.nextTick == .seconds(5))
    desk.state.tick(at: .seconds(4), &desk.actions)
    #expect(desk.take() == [])
    desk.state.tick(at: .seconds(5), &desk.actions)
    #expect(desk.take() == [.abort(running, .shutdown)])
    desk.state.finish(running, &desk.actions)
    #expect(desk.take() == [.drained])
  }

  @Test func `an idle dispatcher is drained at once`() {
    var desk = Desk()
    desk.state.close(graceEnd: .seconds(5), &desk.actions)
    #expect(desk.take() == [.drained])
    desk.state.close(graceEnd: .seconds(1), &desk.actions)
    #expect(desk.take() == [])
  }

  @Test func `thousands of origins do not pile up`() {
    var desk = Desk(total: 64, perOrigin: 1)
    for number in 0..<5000 {
      let origin = WebOrigin(scheme: .http, host: "h\(number).test", port: 80)
      let id = desk.submit(origin)
      #expect(desk.take() == [.start(id)])
      desk.state.finish(id, &desk.actions)
    }
    #expect(desk.state.knownOrigins <= 1024)
  }
}
