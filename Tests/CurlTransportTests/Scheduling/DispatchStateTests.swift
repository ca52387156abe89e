import Interception
import Testing

@testable import CurlTransport

@Suite struct DispatchStateTests {
  static let home = WebOrigin(scheme: .https, host: "home.test", port: 443)
  static let away = WebOrigin(scheme: .https, host: "away.test", port: 443)

  /// A state and the actions that it has decided on.
  struct Driver {
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
      at now: Duration = .zero, deadline: Duration? = nil, alone: Bool = false, exceedsLimits: Bool = false
    ) -> TransferID {
      last += 1
      let id = TransferID(number: last)
      state.submit(
        .init(
          id: id, origin: origin, priority: priority,
          deadline: deadline.map { .init(time: $0, phase: .queue) }, needsOwnConnection: alone,
          exceedsLimits: exceedsLimits),
        at: now, &actions)
      return id
    }

    mutating func take() -> [DispatchState.Action] {
      defer { actions = [] }
      return actions
    }
  }

  @Test("Requests beyond the limit of an origin wait")
  func originLimit() {
    var driver = Driver(perOrigin: 2)
    let first = driver.submit()
    let second = driver.submit()
    let third = driver.submit()
    #expect(driver.take() == [.start(first), .start(second)])
    driver.state.finish(first, &driver.actions)
    #expect(driver.take() == [.start(third)])
  }

  @Test("A further entry of a race for a connection starts at once, and counts until it ends")
  func raceEntry() {
    var driver = Driver(total: 1, perOrigin: 1)
    let first = driver.submit()
    let waiting = driver.submit()
    let further = driver.submit(exceedsLimits: true)
    #expect(driver.take() == [.start(first), .start(further)])
    driver.state.finish(first, &driver.actions)
    #expect(driver.take() == [])
    driver.state.finish(further, &driver.actions)
    #expect(driver.take() == [.start(waiting)])
  }

  @Test("Requests with their own connections wait for connections, others for streams")
  func ownConnections() {
    var driver = Driver(perOrigin: 2, streams: 3)
    let first = driver.submit()
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    let lone = (0..<3).map { _ in driver.submit(alone: true) }
    let shared = (0..<3).map { _ in driver.submit() }
    #expect(
      driver.take() == [
        .start(first), .start(lone[0]), .start(lone[1]), .start(shared[0]), .start(shared[1]),
      ])
    driver.state.finish(first, &driver.actions)
    #expect(driver.take() == [.start(shared[2])])
    driver.state.finish(lone[0], &driver.actions)
    #expect(driver.take() == [.start(lone[2])])
    #expect(driver.state.isMultiplexed(Self.home) == true)
  }

  @Test("A busy origin does not delay another one")
  func otherOrigin() {
    var driver = Driver(perOrigin: 1)
    let first = driver.submit(Self.home)
    driver.submit(Self.home)
    let other = driver.submit(Self.away)
    #expect(driver.take() == [.start(first), .start(other)])
  }

  @Test("Beyond the streams of its connections, an origin's connections are opened one by one")
  func streamLimit() {
    var driver = Driver(perOrigin: 20, streams: 20, queue: 20)
    let first = (0..<3).map { _ in driver.submit() }
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    // Two are sent over one connection; the third opens another one.
    for (id, port) in zip(first, [1, 1, 2]) { driver.state.depart(id, from: nil, to: port, &driver.actions) }
    #expect(driver.take() == first.map { .start($0) })
    let next = (0..<5).map { _ in driver.submit() }
    #expect(driver.take() == [.start(next[0])], "the second connection has room for one")
    driver.state.depart(next[0], from: nil, to: 2, &driver.actions)
    #expect(driver.take() == [], "both are full, and have not answered")
    driver.state.finish(first[0], port: 1, hasAnswer: true, &driver.actions)
    #expect(driver.take() == [.start(next[1])])
    driver.state.depart(next[1], from: nil, to: 1, &driver.actions)
    driver.state.finish(first[2], port: 2, hasAnswer: true, &driver.actions)
    #expect(driver.take() == [.start(next[2])])
    driver.state.depart(next[2], from: nil, to: 2, &driver.actions)
    #expect(driver.take() == [.start(next[3])], "both are full, and one request opens a third")
    driver.state.depart(next[3], from: nil, to: 3, &driver.actions)
    #expect(driver.take() == [.start(next[4])])
    #expect(driver.state.waiting == 0)
  }

  @Test("An HTTP/1.1 origin starts as many requests as it may have connections")
  func http1Limit() {
    var driver = Driver(perOrigin: 6)
    let first = driver.submit()
    driver.state.depart(first, from: nil, to: 1, &driver.actions)
    driver.state.learn(isMultiplexed: false, origin: Self.home, &driver.actions)
    let second = driver.submit()
    driver.state.depart(second, from: nil, to: 2, &driver.actions)
    let rest = (0..<4).map { _ in driver.submit() }
    #expect(driver.take() == ([first, second] + rest).map { .start($0) })
  }

  @Test("Whether an origin is multiplexed is known after its first response")
  func multiplexing() {
    var driver = Driver()
    let plain = WebOrigin(scheme: .http, host: "home.test", port: 80)
    for origin in [Self.home, plain] { driver.submit(origin) }
    #expect(driver.state.isMultiplexed(Self.home) == nil)
    #expect(driver.state.isMultiplexed(plain) == false)
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    #expect(driver.state.isMultiplexed(Self.home) == true)
    #expect(driver.state.isMultiplexed(Self.away) == nil)
  }

  @Test("A request that is sent again counts on its latest connection")
  func sentAgain() {
    var driver = Driver(perOrigin: 20, streams: 20, queue: 20)
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    let first = driver.submit()
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    driver.state.depart(first, from: nil, to: 1, &driver.actions)
    driver.state.depart(first, from: 1, to: 2, &driver.actions)
    let rest = (0..<5).map { _ in driver.submit() }
    #expect(driver.take() == ([first] + rest).map { .start($0) }, "one connection was in use at a time")
  }

  @Test("The total limit applies to all origins together")
  func totalLimit() {
    var driver = Driver(total: 2, perOrigin: 2)
    let first = driver.submit(Self.home)
    let second = driver.submit(Self.home)
    let other = driver.submit(Self.away)
    #expect(driver.take() == [.start(first), .start(second)])
    driver.state.finish(second, &driver.actions)
    #expect(driver.take() == [.start(other)])
  }

  @Test("A full queue refuses another request")
  func fullQueue() {
    var driver = Driver(perOrigin: 1, queue: 1)
    driver.submit()
    driver.submit()
    _ = driver.take()
    let extra = driver.submit()
    #expect(driver.take() == [.refuse(extra, .requests(1))])
  }

  @Test("Higher priorities start first, equal ones in the order of arrival")
  func priorities() {
    var driver = Driver(perOrigin: 1)
    let running = driver.submit()
    let low = driver.submit(priority: .low)
    let normal = driver.submit()
    let later = driver.submit()
    let high = driver.submit(priority: .high)
    _ = driver.take()
    var order: [DispatchState.Action] = []
    for id in [running, high, normal, later] {
      driver.state.finish(id, &driver.actions)
      order += driver.take()
    }
    #expect(order == [.start(high), .start(normal), .start(later), .start(low)])
  }

  @Test("E5: Waiting makes up for a low priority")
  func ageing() {
    var driver = Driver(perOrigin: 1)
    let running = driver.submit()
    let low = driver.submit(priority: .low, at: .zero)
    // From weight 4 to 128 there are five doublings, or five seconds at the default ageing.
    let tooLate = driver.submit(priority: .high, at: .seconds(6))
    _ = driver.take()
    driver.state.finish(running, &driver.actions)
    #expect(driver.take() == [.start(low)])
    driver.state.finish(low, &driver.actions)
    #expect(driver.take() == [.start(tooLate)])
  }

  @Test("A multiplexed origin starts more requests")
  func multiplexedOrigin() {
    var driver = Driver(perOrigin: 1, streams: 3)
    let first = driver.submit()
    let second = driver.submit()
    let third = driver.submit()
    driver.submit()
    #expect(driver.take() == [.start(first)])
    driver.state.learn(isMultiplexed: true, origin: Self.home, &driver.actions)
    #expect(driver.take() == [.start(second), .start(third)])
    driver.state.learn(isMultiplexed: false, origin: Self.home, &driver.actions)
    driver.state.finish(first, &driver.actions)
    #expect(driver.take() == [])
  }

  @Test("Before its first response, an https origin gets no more requests than one connection may carry")
  func firstConnection() {
    func starts(_ ids: ArraySlice<TransferID>) -> [DispatchState.Action] { ids.map { .start($0) } }
    var driver = Driver(perOrigin: 8, streams: 2, queue: 20)
    let ids = (0..<6).map { _ in driver.submit() }
    let atOnce = driver.take()
    #expect(atOnce == starts(ids[..<2]))
    driver.state.learn(isMultiplexed: false, origin: Self.home, &driver.actions)
    let afterwards = driver.take()
    #expect(afterwards == starts(ids[2...]))

    let plain = WebOrigin(scheme: .http, host: "home.test", port: 80)
    let others = (0..<6).map { _ in driver.submit(plain) }
    let overHTTP = driver.take()
    #expect(overHTTP == starts(others[...]), "there is nothing to learn")
  }

  @Test("A request expires in the queue, and the next deadline is known")
  func expiry() {
    var driver = Driver(perOrigin: 1)
    driver.submit()
    let short = driver.submit(deadline: .seconds(1))
    let long = driver.submit(deadline: .seconds(3))
    _ = driver.take()
    #expect(driver.state.nextTick == .seconds(1))
    driver.state.tick(at: .milliseconds(999), &driver.actions)
    #expect(driver.take() == [])
    driver.state.tick(at: .seconds(1), &driver.actions)
    #expect(driver.take() == [.expire(short, .queue)])
    #expect(driver.state.nextTick == .seconds(3))
    driver.state.tick(at: .seconds(3), &driver.actions)
    #expect(driver.take() == [.expire(long, .queue)])
    #expect(driver.state.nextTick == nil)
  }

  @Test("A request whose deadline has passed on arrival expires at once")
  func lateArrival() {
    var driver = Driver()
    let id = driver.submit(at: .seconds(2), deadline: .seconds(1))
    #expect(driver.take() == [.expire(id, .queue)])
  }

  @Test("Cancelling drops waiting requests, aborts running ones and ignores ended ones")
  func cancelling() {
    var driver = Driver(perOrigin: 1)
    let running = driver.submit()
    let waiting = driver.submit()
    _ = driver.take()
    driver.state.cancel(waiting, &driver.actions)
    #expect(driver.take() == [.drop(waiting, .task)])
    driver.state.cancel(running, &driver.actions)
    #expect(driver.take() == [.abort(running, .task)])
    driver.state.finish(running, &driver.actions)
    driver.state.cancel(running, &driver.actions)
    driver.state.cancel(TransferID(number: 99), &driver.actions)
    #expect(driver.take() == [])
  }

  @Test("Closing drops waiting requests, and ends after the last running one")
  func closing() {
    var driver = Driver(perOrigin: 1)
    let running = driver.submit()
    let waiting = driver.submit()
    _ = driver.take()
    driver.state.close(graceEnd: .seconds(5), &driver.actions)
    #expect(driver.take() == [.drop(waiting, .shutdown)])
    let late = driver.submit()
    #expect(driver.take() == [.drop(late, .shutdown)])
    driver.state.finish(running, &driver.actions)
    #expect(driver.take() == [.drained])
  }

  @Test("The end of the grace aborts running requests")
  func grace() {
    var driver = Driver()
    let running = driver.submit()
    _ = driver.take()
    driver.state.close(graceEnd: .seconds(5), &driver.actions)
    #expect(driver.state.nextTick == .seconds(5))
    driver.state.tick(at: .seconds(4), &driver.actions)
    #expect(driver.take() == [])
    driver.state.tick(at: .seconds(5), &driver.actions)
    #expect(driver.take() == [.abort(running, .shutdown)])
    driver.state.finish(running, &driver.actions)
    #expect(driver.take() == [.drained])
  }

  @Test("An idle dispatcher is drained at once")
  func idle() {
    var driver = Driver()
    driver.state.close(graceEnd: .seconds(5), &driver.actions)
    #expect(driver.take() == [.drained])
    driver.state.close(graceEnd: .seconds(1), &driver.actions)
    #expect(driver.take() == [])
  }

  @Test("The table of origins is bounded")
  func manyOrigins() {
    var driver = Driver(total: 64, perOrigin: 1)
    for number in 0..<5000 {
      let origin = WebOrigin(scheme: .http, host: "h\(number).test", port: 80)
      let id = driver.submit(origin)
      #expect(driver.take() == [.start(id)])
      driver.state.finish(id, &driver.actions)
    }
    #expect(driver.state.knownOrigins <= 1024)
  }
}
