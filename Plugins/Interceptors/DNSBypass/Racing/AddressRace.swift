/// Decides when a request's attempts to connect start: events in, actions out, without a clock or I/O.
///
/// The attempts are numbered: those to addresses from 0, in the order in which they start, and after them the
/// one by the system's DNS. The next attempt to an address starts when the newest one has failed, or isn't
/// connected after the delay (RFC 8305, section 5). The system's DNS is asked when every address has failed,
/// or ``lastResortDelay`` after the last one started.
struct AddressRace: Sendable {
  enum Action: Hashable {
    case start(Int)
    /// Call ``delayPassed(round:isConnecting:)`` after the delay.
    case wait(Duration, round: Int)
  }

  /// How long the newest address may take before the system's DNS is asked.
  static let lastResortDelay = Duration.seconds(2)

  private let addresses: Int
  private let delay: Duration?
  private var round = 0
  private var next = 0
  private var isHalted = false
  /// The attempts that have started and not ended, in the order of their starts.
  private(set) var running: [Int] = []

  /// Creates a race of a number of addresses; without a delay an attempt starts only when the one before has
  /// failed.
  init(addresses: Int, delay: Duration?) {
    self.addresses = addresses
    self.delay = delay
  }

  /// Whether every attempt has ended and no other one starts.
  var isOver: Bool { running.isEmpty && (isHalted || next > addresses) }

  /// Starts the first attempt.
  mutating func begin() -> [Action] { startNext() }

  /// Ends a delay; while the first attempt waits to be sent, without connecting yet, the delay starts again.
  mutating func delayPassed(round: Int, isConnecting: Bool) -> [Action] {
    guard round == self.round else { return [] }
    return isConnecting ? startNext() : wait()
  }

  /// Ends an attempt that could not connect.
  mutating func failed(_ attempt: Int) -> [Action] {
    end(attempt)
    let wasNewest = attempt == next - 1
    return running.isEmpty || (wasNewest && next < addresses) ? startNext() : []
  }

  /// Ends an attempt without starting another one.
  mutating func end(_ attempt: Int) { running.removeAll { $0 == attempt } }

  /// Starts no more attempts.
  mutating func halt() { isHalted = true }

  private mutating func startNext() -> [Action] {
    guard !isHalted, next <= addresses else { return [] }
    let attempt = next
    next += 1
    running.append(attempt)
    return [.start(attempt)] + wait()
  }

  private mutating func wait() -> [Action] {
    guard let delay, next <= addresses else { return [] }
    round += 1
    return [.wait(next == addresses ? max(delay, Self.lastResortDelay) : delay, round: round)]
  }
}
