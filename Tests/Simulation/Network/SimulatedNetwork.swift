import HTTPTypes
package import Interception
import SwitchyardTesting

/// The networks and servers between which a history takes place, on virtual time.
///
/// Each exchange has a fate, which depends on the seed, its call and its number within the call, so that a
/// history from which other calls are removed stays the same for this one.
package final class SimulatedNetwork: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  // Unowned, because the world owns the network: otherwise no history would be released.
  unowned let world: World
  private var servers: [String: any SimulatedServer] = [:]
  private var exchanges = 0
  private var lives = 0
  private var ordinals: [Int: Int] = [:]
  /// Whether the device has a network.
  private(set) var isUp = true
  private var lastReturn: Duration?
  /// Until when each address, and each origin's server, is down.
  var downUntil: [String: Duration] = [:]
  /// Whether nothing fails any more.
  var isHealed = false
  /// Connections that are open, by address.
  private var connections: Set<String> = []

  init(_ world: World) { self.world = world }

  /// Connects or disconnects the device.
  func set(isUp: Bool) {
    if isUp, !self.isUp { lastReturn = world.scheduler.now }
    self.isUp = isUp
  }

  /// Whether the device had no network at some time since another one.
  func wasDown(since time: Duration) -> Bool { !isUp || lastReturn.map { $0 >= time } ?? false }

  /// Returns when the device has a network, or when the task is cancelled.
  func returns() async {
    while !isUp {
      do { try await world.clock.sleep(until: world.scheduler.now + .milliseconds(500)) } catch { return }
    }
  }

  /// Ends all faults.
  func heal() {
    isHealed = true
    downUntil = [:]
    set(isUp: true)
  }

  func add(_ server: any SimulatedServer, at origin: String) { servers[origin] = server }

  fileprivate func nextLife() -> Int {
    lives += 1
    return lives
  }

  fileprivate func nextExchange() -> Int {
    exchanges += 1
    return exchanges
  }

  fileprivate func fate(of call: Int?) -> (Fate, SeededRandom) {
    let ordinal = ordinals[call ?? 0, default: 0]
    ordinals[call ?? 0] = ordinal + 1
    let seed = world.plan.seed ^ UInt64(call ?? 0) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(ordinal) << 48
    var random = SeededRandom(seed: seed)
    let fate = isHealed ? Fate.none : world.plan.settings.fate(using: &random)
    return (fate, random)
  }

  /// Processes a request at its server, now.
  fileprivate func process(_ arrival: Arrival) async -> Reply {
    guard let server = servers[arrival.origin] else { return Reply(status: .notFound) }
    var reply = await server.reply(to: arrival)
    reply.fields[FreshnessOracle.stampField] = String(arrival.number)
    world.checks.arrived(arrival, reply)
    return reply
  }

  fileprivate func isDown(_ name: String) -> Bool { (downUntil[name] ?? .zero) > world.scheduler.now }

  fileprivate func connect(to address: String) -> Bool { !connections.insert(address).inserted }
  fileprivate func disconnect(_ address: String) { connections.remove(address) }
}

/// The dispatcher of one life of the app: what it sent is lost when the process dies.
package final class NetworkPort: Dispatcher, @unchecked Sendable {
  private let network: SimulatedNetwork
  /// The number of the life, counted from 1.
  let number: Int
  package let capabilities: DispatcherCapabilities
  /// Whether the process has died.
  var isDead = false

  init(_ network: SimulatedNetwork, canRace: Bool) {
    self.network = network
    number = network.nextLife()
    capabilities =
      canRace
      ? [.connectTarget, .responseDecoding, .connectRacing] : [.connectTarget, .responseDecoding]
  }

  package func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    guard !isDead else { throw NetworkError(.cancelled(.shutdown), "The process has ended.") }
    return try await Exchanging(request, network, self).response()
  }
}

/// One exchange: connects, sends, waits for the head and delivers the body, each with its faults and limits.
private final class Exchanging: @unchecked Sendable {
  private let request: Request
  private let network: SimulatedNetwork
  private let port: NetworkPort
  private let world: World
  private let number: Int
  private let call: Int?
  private let origin: String
  private let address: String
  private let fate: Fate
  private var random: SeededRandom
  private let start: Duration
  private var reply: Reply?
  private var isProcessed = false

  init(_ request: Request, _ network: SimulatedNetwork, _ port: NetworkPort) {
    self.request = request
    self.network = network
    self.port = port
    world = network.world
    start = world.scheduler.now
    number = network.nextExchange()
    call = request.head.headerFields[World.callField].flatMap { Int($0) }
    origin = request.head.authority ?? ""
    address = request.connectTarget?.address ?? "dns of \(origin)"
    (fate, random) = network.fate(of: call)
  }

  private func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }

  func response() async throws(NetworkError) -> Response {
    let body = try await request.body.collect(upTo: 1 << 20)
    let begin = world.scheduler.now
    let isReused = try await connect()
    world.checks.sent(request, number, call)
    let (sent, wire) = (world.scheduler.now, milliseconds(5...60))
    world.story.tell(
      "#\(number) \(request.head.method) \(origin)\(request.head.path ?? "") to \(address): \(fate)")
    let arrival = { [self] in
      Arrival(
        number: number, request: request, body: body, origin: origin, call: call,
        time: world.scheduler.now)
    }
    var timer: UInt64?
    if !fate.losesRequest {
      timer = world.scheduler.at(sent + wire) { [self] in
        isProcessed = true
        let arrival = arrival()
        if let reply = fate.reply(world.clock.trueWallTime) { return replied(reply, to: arrival) }
        Task { [self] in replied(await network.process(arrival), to: arrival) }
      }
    }
    let delay = wire + milliseconds(5...60) + fate.delay
    do throws(NetworkError) {
      let report = TransportReport(
        phases: TransportReport.Phases(connect: isReused ? nil : sent - begin),
        remoteAddress: address, version: .http1, connectionWasReused: isReused)
      return try await received(after: delay, since: sent, report)
    } catch {
      // What is on the wire can arrive although the caller has gone.
      if case .cancelled = error.kind, let timer, Bool.random(using: &random) {
        world.scheduler.cancel(timer)
      }
      network.disconnect(address)
      throw error
    }
  }

  private func replied(_ reply: Reply, to arrival: Arrival) {
    self.reply = reply
    world.checks.replied(arrival, reply)
  }

  /// Returns whether a connection is used again.
  private func connect() async throws(NetworkError) -> Bool {
    guard network.isUp else { throw NetworkError(.offline, "There is no network.") }
    world.checks.connects(request, by: port)
    let limit = request.options.timeouts.connect ?? .seconds(10)
    request.raceEntry?.race.noteConnecting()
    let isSilent = fate == .silentAddress || network.isDown(address)
    if fate == .refused || network.isDown(origin), !isSilent {
      try await wait(milliseconds(1...40), isSent: false)
      throw NetworkError(.connect, "The connection was refused.")
    }
    if isSilent {
      network.disconnect(address)
      try await wait(limit, isSent: false)
      throw NetworkError(.timeout(.connect), "No connection was made in time.")
    }
    let isReused = network.connect(to: address)
    let time = isReused ? .zero : milliseconds(10...120)
    try await wait(min(time, limit), isSent: false)
    guard time <= limit else {
      network.disconnect(address)
      throw NetworkError(.timeout(.connect), "No connection was made in time.")
    }
    if let entry = request.raceEntry, !entry.claim() {
      throw NetworkError(
        .connect, "Another connection was made first.", underlying: ConnectRace.Overtaken())
    }
    return isReused
  }

  private func received(
    after delay: Duration, since sent: Duration, _ report: TransportReport
  ) async throws(NetworkError) -> Response {
    let limits = request.options.timeouts
    let (silence, phase) =
      limits.firstByte.map { ($0, NetworkError.Phase.firstByte) } ?? (
        limits.idle ?? .seconds(20), .idle
      )
    let total = fate.isSilent ? silence : delay
    try await wait(min(total, silence), isSent: true)
    if total >= silence {
      throw NetworkError(.timeout(phase), "The server is silent.", requestMayHaveBeenProcessed: true)
    }
    guard network.isUp, !port.isDead, !fate.losesRequest, !fate.losesReply, let reply else {
      throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
    }
    world.checks.delivered(reply, to: request, number: number)
    let source = SimulatedBody(reply.body, self, breaks: fate == .bodyBreaks, stalls: fate == .bodyStalls)
    var fields = reply.fields
    fields[.contentLength] = String(reply.body.count)
    let head = HTTPResponse(status: reply.status, headerFields: fields)
    if case .streamed = request.options.delivery, request.head.method != .head {
      let ending = BodyStream.Ending()
      source.whenRead = { ending.finish(transport: report) }
      let stream = BodyStream(length: Int64(reply.body.count), ending: ending, source)
      return Response(head, body: .stream(stream), exchange: Exchange(transport: report))
    }
    let bytes = request.head.method == .head ? [] : try await source.collect(upTo: 1 << 20)
    return Response(head, body: .bytes(bytes), exchange: Exchange(transport: report))
  }

  func wait(_ duration: Duration, isSent: Bool) async throws(NetworkError) {
    let overall = request.options.timeouts.overall
    let (end, last) = (world.scheduler.now + duration, overall.map { start + $0.limit })
    do { try await world.clock.sleep(until: min(end, last ?? end)) } catch {
      throw NetworkError(
        .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: isSent)
    }
    if let overall, let last, last < end {
      throw NetworkError(
        .timeout(overall.phase), "The response is late.", requestMayHaveBeenProcessed: isSent)
    }
    guard !port.isDead else {
      throw NetworkError(
        .cancelled(.shutdown), "The process has ended.", requestMayHaveBeenProcessed: isSent)
    }
  }

  func pause() async throws(NetworkError) { try await wait(milliseconds(1...40), isSent: true) }
  func stall() async throws(NetworkError) {
    try await wait(request.options.timeouts.idle ?? .seconds(20), isSent: true)
    throw NetworkError(.timeout(.idle), "The server is silent.", requestMayHaveBeenProcessed: true)
  }
}

/// A body in chunks, which can break off or stall in the middle.
private final class SimulatedBody: ByteSource, @unchecked Sendable {
  private var rest: ArraySlice<[UInt8]>
  private let exchange: Exchanging
  private let breaks: Bool
  private let stalls: Bool
  private var isCancelled = false
  var whenRead: () -> Void = {}

  init(_ bytes: [UInt8], _ exchange: Exchanging, breaks: Bool, stalls: Bool) {
    let half = bytes.count / 2
    rest = bytes.isEmpty ? [] : [Array(bytes[..<half]), Array(bytes[half...])].filter { !$0.isEmpty }[...]
    self.exchange = exchange
    self.breaks = breaks
    self.stalls = stalls
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !isCancelled else { throw NetworkError(.cancelled(.task), "The body was cancelled.") }
    guard let chunk = rest.first else {
      whenRead()
      return nil
    }
    if rest.count == 1 {
      if stalls { try await exchange.stall() }
      if breaks {
        throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
      }
      try await exchange.pause()
    }
    rest.removeFirst()
    return chunk
  }

  func cancel() { isCancelled = true }
}
