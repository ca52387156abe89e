import HTTPTypes
import Interception
import Synchronization

/// One exchange of a ``SimulatedNetwork``: connects, sends, waits for the head and delivers the body, each
/// with its faults and limits.
final class SimulatedExchange: Sendable {
  private struct State {
    var random: SeededRandom
    var hasEnded = false
  }

  private let request: Request
  private let network: SimulatedNetwork
  private let observer: (any ExchangeObserver)?
  private let number: Int
  private let origin: String
  private let address: String
  private let fault: SimulatedFault
  private let start: Duration
  private let state: Mutex<State>

  init(_ request: Request, _ network: SimulatedNetwork, _ observer: (any ExchangeObserver)?) {
    self.request = request
    self.network = network
    self.observer = observer
    let random: SeededRandom
    (number, fault, random) = network.begin(request)
    state = Mutex(State(random: random))
    start = network.time.now()
    origin = request.head.authority ?? ""
    address = request.connectTarget?.address ?? "the address of \(origin)"
  }

  private var now: Duration { network.time.now() }
  private var isAlive: Bool { observer?.isAlive ?? true }

  private func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(state.withLock { Int.random(in: range, using: &$0.random) })
  }

  /// Counts the exchange as ended.
  func end() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { network.end() }
  }

  func response() async throws(NetworkError) -> Response {
    let body = try await request.body.collect(upTo: 1 << 24)
    let begin = now
    let isReused = try await connect()
    observer?.observe(.sent(number: number, request, address: address, fault))
    let (sent, out, back) = (now, milliseconds(5...60), milliseconds(5...60))
    let report = TransportReport(
      phases: TransportReport.Phases(connect: isReused ? nil : sent - begin),
      remoteAddress: address, version: .http1, connectionWasReused: isReused)
    do throws(NetworkError) {
      let reply = try await reply(to: body, at: sent + out, within: sent + silence.limit)
      return try await received(reply, at: sent + out + back + fault.delay, since: sent, report)
    } catch {
      network.disconnect(address)
      throw error
    }
  }

  /// The time without a response after which the caller fails.
  private var silence: (limit: Duration, phase: NetworkError.Phase) {
    let limits = request.options.timeouts
    return limits.firstByte.map { ($0, .firstByte) } ?? (limits.idle ?? .seconds(20), .idle)
  }

  /// Waits for the request to arrive, and returns the server's response; nil if it doesn't arrive by then.
  private func reply(
    to body: [UInt8], at time: Duration, within limit: Duration
  ) async throws(NetworkError) -> Response? {
    guard !fault.losesRequest else { return nil }
    do throws(NetworkError) {
      try await wait(until: min(time, limit), isSent: true)
      if time <= limit { return await answer(to: body) }
    } catch {
      let isRecalled = state.withLock { Bool.random(using: &$0.random) }
      if case .cancelled = error.kind, isRecalled { throw error }
      arrive(body, at: time)
      throw error
    }
    arrive(body, at: time)
    return nil
  }

  /// Lets a request arrive that is on the wire, although its caller has gone.
  private func arrive(_ body: [UInt8], at time: Duration) {
    Task {
      do { try await network.time.sleep(for: time - now) } catch { return }
      _ = await answer(to: body)
    }
  }

  /// Lets the server respond.
  private func answer(to body: [UInt8]) async -> Response {
    let arrival = SimulatedArrival(number: number, request: request, body: body, origin: origin, time: now)
    let own = fault.response(network.time.wallTime())
    let response: Response
    if let own { response = own } else { response = await network.process(arrival) }
    observer?.observe(.answered(arrival, response, byHandler: own == nil))
    return response
  }

  /// Returns whether a connection is used again.
  private func connect() async throws(NetworkError) -> Bool {
    guard network.isUp else { throw NetworkError(.offline, "There is no network.") }
    observer?.observe(.connecting(request))
    let limit = request.options.timeouts.connect ?? .seconds(10)
    request.raceEntry?.race.noteConnecting()
    let isSilent = fault == .silentAddress || network.isDown(address)
    if fault == .refused || network.isDown(origin), !isSilent {
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
    _ reply: Response?, at time: Duration, since sent: Duration, _ report: TransportReport
  ) async throws(NetworkError) -> Response {
    let (limit, phase) = silence
    let end = fault.isSilent ? sent + limit : time
    try await wait(until: min(end, sent + limit), isSent: true)
    if end >= sent + limit {
      throw NetworkError(.timeout(phase), "The server is silent.", requestMayHaveBeenProcessed: true)
    }
    guard network.isUp, isAlive, fault != .lostAfter, let response = reply else {
      throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
    }
    observer?.observe(.delivered(number: number, request, response))
    return try await delivered(response, report)
  }

  private func delivered(
    _ response: Response, _ report: TransportReport
  ) async throws(NetworkError) -> Response {
    let bytes = try await response.body.collect(upTo: 1 << 26)
    let source = SimulatedBody(bytes, self, breaks: fault == .bodyBreaks, stalls: fault == .bodyStalls)
    var head = response.head
    head.headerFields[.contentLength] = String(bytes.count)
    let isHead = request.head.method == .head
    switch request.options.delivery {
    case .streamed where !isHead:
      let ending = BodyStream.Ending()
      source.whenRead { ending.finish(transport: report) }
      let stream = BodyStream(length: Int64(bytes.count), ending: ending, source)
      return Response(head, body: .stream(stream), exchange: Exchange(transport: report))
    case .buffered(let limit):
      let body = isHead ? [] : try await source.collect(upTo: limit)
      end()
      return Response(head, body: .bytes(body), exchange: Exchange(transport: report))
    case .streamed:
      end()
      return Response(head, exchange: Exchange(transport: report))
    }
  }

  private func wait(_ duration: Duration, isSent: Bool) async throws(NetworkError) {
    try await wait(until: now + duration, isSent: isSent)
  }

  private func wait(until end: Duration, isSent: Bool) async throws(NetworkError) {
    let overall = request.options.timeouts.overall
    let last = overall.map { start + $0.limit }
    do { try await network.time.sleep(for: min(end, last ?? end) - now) } catch {
      throw NetworkError(
        .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: isSent)
    }
    if let overall, let last, last < end {
      throw NetworkError(
        .timeout(overall.phase), "The response is late.", requestMayHaveBeenProcessed: isSent)
    }
    guard isAlive else {
      throw NetworkError(
        .cancelled(.shutdown), "The process has ended.", requestMayHaveBeenProcessed: isSent)
    }
  }

  /// Waits for the rest of a body.
  func pause() async throws(NetworkError) { try await wait(milliseconds(1...40), isSent: true) }

  /// Waits for the rest of a body that never comes.
  func stall() async throws(NetworkError) {
    try await wait(request.options.timeouts.idle ?? .seconds(20), isSent: true)
    throw NetworkError(.timeout(.idle), "The server is silent.", requestMayHaveBeenProcessed: true)
  }
}

/// A body in two chunks, which can break off or stall in the middle.
private final class SimulatedBody: ByteSource {
  private struct State {
    var rest: ArraySlice<[UInt8]>
    var isCancelled = false
    var whenRead: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let exchange: SimulatedExchange
  private let breaks: Bool
  private let stalls: Bool

  init(_ bytes: [UInt8], _ exchange: SimulatedExchange, breaks: Bool, stalls: Bool) {
    let half = bytes.count / 2
    let chunks = [Array(bytes[..<half]), Array(bytes[half...])].filter { !$0.isEmpty }
    state = Mutex(State(rest: chunks[...]))
    self.exchange = exchange
    self.breaks = breaks
    self.stalls = stalls
  }

  deinit { exchange.end() }

  func whenRead(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.whenRead = action } }

  func read() async throws(NetworkError) -> [UInt8]? {
    let (chunk, count, isCancelled) = state.withLock { ($0.rest.first, $0.rest.count, $0.isCancelled) }
    guard !isCancelled else { throw NetworkError(.cancelled(.task), "The body was cancelled.") }
    guard let chunk else {
      state.withLock { $0.whenRead }?()
      exchange.end()
      return nil
    }
    if count == 1 {
      if stalls { try await exchange.stall() }
      if breaks {
        throw NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
      }
      try await exchange.pause()
    }
    state.withLock { _ = $0.rest.popFirst() }
    return chunk
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    exchange.end()
  }
}
