import CCurlShims
import HTTPTypes
import Interception

/// State that the event loop shares with its transfers; it never leaves their thread.
final class LoopRound {
  /// A transfer that was sent over the connection of a local port, and any port it used before.
  typealias Departure = (id: TransferID, previous: Int?, port: Int)
  /// Whether an origin's connections carry several requests at a time.
  typealias Multiplexing = (origin: WebOrigin, isMultiplexed: Bool)

  /// The time, read once per round.
  var now: Duration = .zero
  /// The next time limit of any transfer, or an earlier time.
  var alarm: Duration?
  let heads: ResponseHeadCache
  let poller: Poller
  let configuration: CurlDispatcher.Configuration
  /// What the origins have advertised, and where HTTP/3 has failed.
  var alternatives: AlternativeServices
  /// The number of bytes of content that all transfers have received.
  var receivedBytes: Int64 = 0
  /// What keeps advertisements in a file, and the number that its network has; nil without a file.
  private var store: (store: AlternativeServiceStore, network: Int)?
  // Callers with responses. They are resumed together, so that the thread that runs them does not block in
  // between.
  private var answered: [Submission.Waiter] = []
  private var departures: [Departure] = []
  private var learned: [Multiplexing] = []
  private var latest: Multiplexing?
  // Upgrades whose sockets have events.
  private var ready: [TransferID] = []

  init(_ poller: Poller, configuration: CurlDispatcher.Configuration, library: LoadedLibrary) {
    self.poller = poller
    alternatives = AlternativeServices(
      use: configuration.http3, isSupported: library.hasHTTP3,
      sendsContent: configuration.sendsContentOverHTTP3)
    self.configuration = configuration
    heads = ResponseHeadCache(isEnabled: configuration.cachesResponseHeads)
  }

  /// Takes over what a file has of HTTP/3.
  func open(_ store: AlternativeServiceStore, at now: Duration) {
    let (services, network) = store.services(at: now)
    alternatives.keepStored(services)
    self.store = (store, network)
  }

  /// Hands over what the transfers have learned of HTTP/3, if that is kept in a file.
  func storeAlternatives() {
    guard let store else { return }
    let changes = alternatives.takeChanges()
    if !changes.isEmpty { store.store.apply(changes, network: store.network) }
  }

  /// Forgets what was learned of HTTP/3, because the network has changed.
  ///
  /// - Parameter network: The number of the network in the store.
  func forgetAlternatives(network: Int) {
    alternatives.removeAll()
    store?.network = network
  }

  /// Schedules a check of the time limits.
  func setAlarm(_ deadline: DispatchState.Deadline?) {
    guard let time = deadline?.time else { return }
    alarm = min(time, alarm ?? time)
  }

  /// Gives a caller its result; ``resumeAnswered()`` resumes the caller.
  func answer(_ submission: Submission, _ result: Result<Response, NetworkError>) {
    if let waiter = submission.give(result) { answered.append(waiter) }
  }

  func resumeAnswered() {
    guard !answered.isEmpty else { return }
    for waiter in answered { waiter.resume() }
    answered.removeAll(keepingCapacity: true)
  }

  func recordDeparture(_ id: TransferID, from previous: Int?, to port: Int) {
    departures.append((id, previous, port))
  }

  func takeDepartures() -> [Departure] { Self.take(&departures) }

  func noteReady(_ id: TransferID) { ready.append(id) }

  func takeReady() -> [TransferID] { Self.take(&ready) }

  /// Whether an upgrade is to be advanced without an event.
  var hasReady: Bool { !ready.isEmpty }

  func learn(_ origin: WebOrigin, isMultiplexed: Bool) {
    if let latest, latest.isMultiplexed == isMultiplexed, latest.origin == origin { return }
    latest = (origin, isMultiplexed)
    learned.append((origin, isMultiplexed))
  }

  func takeLearned() -> [Multiplexing] { Self.take(&learned) }

  private static func take<Element>(_ list: inout [Element]) -> [Element] {
    guard !list.isEmpty else { return [] }
    defer { list = [] }
    return list
  }
}

/// Parsed response heads: a server sends the same head many times within a second.
///
/// A head that equals a cached one byte for byte is not parsed again, which saves a tenth of the instructions
/// of a small request. The cache holds 64 heads of at most 2 KiB, none of which sets a cookie, and belongs to
/// one thread.
final class ResponseHeadCache {
  final class Entry {
    fileprivate let bytes: [UInt8]
    let head: HTTPResponse
    /// The parser in its state after the head.
    let parser: HeadParser

    fileprivate init(_ bytes: [UInt8], _ head: HTTPResponse, _ parser: HeadParser) {
      self.bytes = bytes
      self.head = head
      self.parser = parser
    }
  }

  static let maximumSize = 2 << 10

  // Empty if the cache is turned off.
  private var entries: [Entry?]
  // The next head usually equals the latest one.
  private var latest: Entry?

  init(isEnabled: Bool) { entries = isEnabled ? .init(repeating: nil, count: 64) : [] }

  /// Returns the parsed form of a head; nil if it is not cached.
  func entry(of head: [UInt8]) -> Entry? {
    guard !entries.isEmpty, head.count <= Self.maximumSize else { return nil }
    if let latest, Self.areEqual(latest.bytes, head) { return latest }
    guard let known = entries[Self.place(of: head)], Self.areEqual(known.bytes, head) else { return nil }
    latest = known
    return known
  }

  func insert(_ head: HTTPResponse, parser: HeadParser, of bytes: [UInt8]) {
    if entries.isEmpty || bytes.count > Self.maximumSize || head.headerFields.contains(.setCookie) { return }
    entries[Self.place(of: bytes)] = Entry(bytes, head, parser)
  }

  // memcmp, because comparing arrays element by element costs more than half of parsing them.
  private static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    return unsafe first.withUnsafeBytes { first in
      unsafe second.withUnsafeBytes { second in
        guard let start = first.baseAddress, let other = second.baseAddress else { return true }
        return unsafe memcmp(start, other, second.count) == 0
      }
    }
  }

  private static func place(of head: [UInt8]) -> Int {
    var hash = UInt64(truncatingIfNeeded: head.count)
    unsafe head.withUnsafeBytes { bytes in
      for offset in stride(from: 0, through: bytes.count - 8, by: 8) {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
    }
    return Int(truncatingIfNeeded: hash >> 58)
  }
}
