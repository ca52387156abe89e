import HTTPTypes
package import Interception
package import SwitchyardTesting

/// The dispatcher of one life of the app: what it sent is lost when the process dies.
package final class NetworkPort: Dispatcher, ExchangeObserver, @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  private let world: World
  /// The number of the life, counted from 1.
  let number: Int
  package let capabilities: DispatcherCapabilities
  /// Whether the process has died.
  var isDead = false
  package var isAlive: Bool { !isDead }

  init(_ world: World, canRace: Bool) {
    self.world = world
    number = world.nextLife()
    capabilities =
      canRace
      ? [.connectTarget, .connectRacing] : [.connectTarget]
  }

  package func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !isDead else { throw NetworkError(.cancelled(.shutdown), "The process has ended.") }
    return try await world.network.dispatch(request, for: self)
  }

  package func observe(_ event: ExchangeEvent) {
    switch event {
    case .connecting(let request): world.checks.connects(request, by: self)
    case .sent(let number, let request, let address, let fault):
      world.checks.sent(request)
      let target = "\(request.head.authority ?? "")\(request.head.path ?? "")"
      world.story.tell("#\(number) \(request.head.method) \(target) to \(address): \(fault)")
    case .answered(let arrival, let response, let byHandler):
      if byHandler { world.checks.arrived(arrival) }
      world.checks.replied(arrival, response)
    case .delivered(_, let request, let response): world.checks.delivered(response, to: request)
    }
  }
}

/// Whether the device has a network, and when it had none.
final class Connectivity: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  private unowned let world: World
  private var lastReturn: Moment?
  /// Whether the servers and networks have no faults any more.
  private(set) var isHealed = false

  init(_ world: World) { self.world = world }

  var isUp: Bool { world.network.isUp }

  /// Connects or disconnects the device.
  func set(isUp: Bool) {
    if isUp, !self.isUp { lastReturn = world.checks.moment() }
    world.network.isUp = isUp
  }

  /// Ends all faults.
  func heal() {
    set(isUp: true)
    isHealed = true
    world.network.heal()
  }

  /// Whether the device had no network at some time since a moment.
  func wasDown(since moment: Moment) -> Bool { !isUp || lastReturn.map { $0 > moment } ?? false }

  /// Returns when the device has a network, or when the task is cancelled.
  func returns() async {
    while !isUp {
      do { try await world.clock.sleep(until: world.scheduler.now + .milliseconds(500)) } catch { return }
    }
  }
}
