/// The exchange with the kernel over one socket: datagrams in, requests and tables out; a pure value.
///
/// Every relevant notification leads to a new dump of links, addresses and routes, because notifications
/// alone are not enough: the kernel doesn't report the IPv4 routes that it removes with a link, and drops
/// notifications that a slow reader has no room for.
struct NetlinkSession {
  /// What to do next.
  enum Action: Hashable {
    /// Send a request.
    case send([UInt8])
    /// Report the state of a table.
    case publish(NetworkTable)
    /// End, because the kernel refuses the requests.
    case fail(code: Int32)
  }

  private static let requests = [
    NetlinkConstant.getLink, NetlinkConstant.getAddress, NetlinkConstant.getRoute,
  ]
  /// The maximum number of consecutive dumps without a result.
  private static let maximumFailures = 10

  /// The port of the socket.
  private let port: UInt32
  private var sequence: UInt32 = 0
  /// The index of the request whose responses are awaited; nil between two dumps.
  private var step: Int?
  private var table = NetworkTable()
  private var wasInterrupted = false
  private var failures = 0
  /// Whether something has changed since the current or latest dump began.
  private var isOutdated = false

  init(port: UInt32) { self.port = port }

  /// Whether ``begin()`` should be called.
  var needsDump: Bool { step == nil && isOutdated }

  /// Starts a dump; returns the first request.
  mutating func begin() -> [UInt8] {
    table = NetworkTable()
    (isOutdated, wasInterrupted) = (false, false)
    return request(0)
  }

  /// Reads a datagram.
  mutating func receive(_ datagram: ArraySlice<UInt8>) -> [Action] {
    let (messages, isComplete) = NetlinkMessage.messages(in: datagram)
    var actions: [Action] = []
    for message in messages {
      guard step != nil, message.port == port, message.sequence == sequence else {
        if message.type == NetlinkConstant.overrun || NetworkTable.isRelevant(message) { isOutdated = true }
        continue
      }
      if message.flags & NetlinkConstant.dumpInterrupted != 0 { wasInterrupted = true }
      switch message.type {
      case NetlinkConstant.done: actions += finishRequest()
      case NetlinkConstant.error: actions += abandon(code: Self.code(of: message))
      default: table.record(message)
      }
    }
    if !isComplete { actions += abandon(code: 0) }
    return actions
  }

  /// Notes that datagrams were lost.
  mutating func noteLoss() -> [Action] { abandon(code: 0) }

  private mutating func request(_ index: Int) -> [UInt8] {
    step = index
    sequence &+= 1
    return NetlinkMessage.dumpRequest(Self.requests[index], sequence: sequence)
  }

  private mutating func finishRequest() -> [Action] {
    guard let step else { return [] }
    guard step + 1 == Self.requests.count else { return [.send(request(step + 1))] }
    self.step = nil
    // Something changed during the dump, so that parts of it may not belong together.
    if wasInterrupted {
      isOutdated = true
      failures += 1
      guard failures >= Self.maximumFailures else { return [] }
    }
    failures = 0
    return [.publish(table)]
  }

  private mutating func abandon(code: Int32) -> [Action] {
    isOutdated = true
    guard step != nil else { return [] }
    step = nil
    failures += 1
    // A loss is no refusal: it ends when the network becomes quiet.
    guard code != 0, failures >= Self.maximumFailures else { return [] }
    return [.fail(code: code)]
  }

  /// Returns the error number, which is negative in the message.
  private static func code(of message: NetlinkMessage) -> Int32 {
    message.payload.number32(at: 0).map { Int32(bitPattern: 0 &- $0) } ?? 0
  }
}
