import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher over simulated servers, whose latencies and faults a seed decides, on the time of a clock.
///
/// ```swift
/// let network = SimulatedNetwork(seed: 7)
/// network.serve("api.example") { arrival in
///   Response(status: arrival.request.head.method == .get ? .ok : .noContent)
/// }
/// let pipeline = try Pipeline.standard(over: network, time: network.time)
/// ```
///
/// An exchange connects, sends, lets the server's handler respond, and delivers the response, each with a
/// latency and within the request's time limits. What goes wrong is decided by the seed, the request's method
/// and URL, and how often the same one was sent before, so it depends neither on other requests nor on the
/// order in which tasks run. The network's ``time`` is that of a ``TestClock``, which
/// ``checkSimulation(seeds:rules:faults:patience:steps:run:)`` advances.
public final class SimulatedNetwork: Dispatcher {
  /// A server: returns the response to a request that has arrived.
  ///
  /// It should respond without waiting; a slow server is a fault, ``SimulatedFault/slow(_:)``.
  public typealias Handler = @Sendable (_ arrival: SimulatedArrival) async -> Response
  /// Decides what goes wrong in the exchange of a request.
  public typealias Faults =
    @Sendable (_ request: Request, _ random: inout SeededRandom) -> SimulatedFault

  private struct State {
    var handlers: [String: Handler] = [:]
    var downUntil: [String: Duration] = [:]
    /// The addresses to which a connection is open.
    var connections: Set<String> = []
    var ordinals: [String: UInt64] = [:]
    var arrivals: [SimulatedArrival] = []
    var exchangeCount = 0
    var runningCount = 0
    var isUp = true
    var isHealed = false
  }

  private let state = Mutex(State())
  private let seed: UInt64
  private let faults: Faults
  private let naming: @Sendable (Request) -> String
  private let observer: (any ExchangeObserver)?
  /// The network's time, for the pipeline and its interceptors.
  public let time: TimeSource
  /// Connects to addresses that an interceptor chooses; connections can race, and nothing is coded.
  public let capabilities: DispatcherCapabilities

  /// Creates a network without servers.
  ///
  /// - Parameters:
  ///   - seed: Decides latencies, and what `faults` draws.
  ///   - faults: Decides what goes wrong in an exchange; by default nothing does.
  ///   - clock: The clock of latencies. It shows 2027-01-15 08:00 UTC at zero as the wall-clock time.
  public convenience init(
    seed: UInt64, faults: @escaping Faults = { _, _ in .none }, clock: TestClock = TestClock()
  ) {
    self.init(seed: seed, faults: faults, clock: clock, observer: nil)
  }

  convenience init(
    seed: UInt64, faults: @escaping Faults, clock: TestClock, observer: (any ExchangeObserver)?
  ) {
    let start = WallTime(secondsSince1970: 1_800_000_000)
    self.init(
      seed: seed, faults: faults,
      time: TimeSource(clock, wall: { start.advanced(by: clock.now.offset) }), observer: observer,
      naming: { "\($0.head.method) \($0.head.authority ?? "")\($0.head.path ?? "")" })
  }

  /// Creates a network on any time.
  ///
  /// - Parameter naming: Returns a request's name, of which each has faults of its own.
  package init(
    seed: UInt64, faults: @escaping Faults, time: TimeSource, observer: (any ExchangeObserver)? = nil,
    naming: @escaping @Sendable (Request) -> String
  ) {
    self.seed = seed
    self.faults = faults
    self.time = time
    self.observer = observer
    self.naming = naming
    capabilities = [.connectTarget, .connectRacing]
  }

  /// Adds the server of an origin, which is an authority such as `api.example`.
  public func serve(_ origin: String, _ handler: @escaping Handler) {
    state.withLock { $0.handlers[origin] = handler }
  }

  /// Whether the device has a network; true at first.
  package var isUp: Bool {
    get { state.withLock { $0.isUp } }
    set { state.withLock { $0.isUp = newValue } }
  }

  /// Takes down an origin, which then refuses connections, or an address, which then doesn't answer.
  public func takeDown(_ name: String, for duration: Duration) {
    let end = time.now() + duration
    state.withLock { $0.downUntil[name] = end }
  }

  /// Ends all faults and outages, and connects the device: from now on every exchange succeeds.
  package func heal() {
    state.withLock { state in
      state.isHealed = true
      state.isUp = true
      state.downUntil = [:]
    }
  }

  /// The requests that have arrived at a server, in order.
  package var arrivals: [SimulatedArrival] { state.withLock { $0.arrivals } }

  /// The number of exchanges that have not ended, those of streamed bodies included.
  package var runningCount: Int { state.withLock { $0.runningCount } }

  /// Sends a request over the network.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    try await dispatch(request, for: observer)
  }

  /// Sends a request of a process, whose observer receives what happens.
  package func dispatch(
    _ request: Request, for observer: (any ExchangeObserver)?
  ) async throws(NetworkError) -> Response {
    let exchange = SimulatedExchange(request, self, observer)
    do throws(NetworkError) {
      return try await exchange.response()
    } catch {
      exchange.end()
      throw error
    }
  }
}

/// Something that happens in an exchange.
package enum ExchangeEvent: Sendable {
  /// A connection is used or made.
  case connecting(Request)
  /// The request is sent.
  case sent(number: Int, Request, address: String, SimulatedFault)
  /// The request has arrived, and got a response: the handler's, or a fault's.
  case answered(SimulatedArrival, Response, byHandler: Bool)
  /// The head of the response is delivered.
  case delivered(number: Int, Request, Response)
}

/// Receives what happens in a process's exchanges.
package protocol ExchangeObserver: Sendable {
  /// Whether the process still runs.
  var isAlive: Bool { get }

  /// Receives an event.
  func observe(_ event: ExchangeEvent)
}

// MARK: For exchanges

extension SimulatedNetwork {
  /// Begins an exchange: returns its number, its fault, and its random numbers.
  func begin(_ request: Request) -> (number: Int, fault: SimulatedFault, random: SeededRandom) {
    let name = naming(request)
    let (number, ordinal, isHealed) = state.withLock { state in
      state.exchangeCount += 1
      state.runningCount += 1
      let ordinal = state.ordinals[name, default: 0]
      state.ordinals[name] = ordinal + 1
      return (state.exchangeCount, ordinal, state.isHealed)
    }
    // FNV-1a, because hashes of the standard library differ between processes.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    var random = SeededRandom(seed: seed ^ hash ^ ordinal &* 0x9E37_79B9_7F4A_7C15)
    let fault = faults(request, &random)
    return (number, isHealed ? .none : fault, random)
  }

  func end() { state.withLock { $0.runningCount -= 1 } }

  func isDown(_ name: String) -> Bool {
    let now = time.now()
    return state.withLock { ($0.downUntil[name] ?? .zero) > now }
  }

  /// Whether a connection to an address is used again.
  func connect(to address: String) -> Bool { state.withLock { !$0.connections.insert(address).inserted } }
  func disconnect(_ address: String) { state.withLock { _ = $0.connections.remove(address) } }

  /// Lets the server of a request respond.
  func process(_ arrival: SimulatedArrival) async -> Response {
    let handler = state.withLock { state in
      state.arrivals.append(arrival)
      return state.handlers[arrival.origin]
    }
    return await handler?(arrival) ?? Response(status: .notFound)
  }
}
