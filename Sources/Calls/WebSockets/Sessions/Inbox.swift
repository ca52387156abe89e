/// The messages that were received and not read, and the tasks that wait for one.
struct Inbox: Sendable {
  typealias Answer = Result<WebSocketMessage?, WebSocketError>

  struct Reader: Sendable {
    let number: Int
    let continuation: CheckedContinuation<Answer, Never>
  }

  /// The least that a message counts: empty ones cost memory, too.
  private static let overhead = 64

  private let limit: Int
  private var messages: [WebSocketMessage] = []
  private var first = 0
  private var bytes = 0
  private var readers: [Reader] = []

  init(limit: Int) { self.limit = limit }

  /// Whether no more messages are to be received until one is read.
  var isFull: Bool { bytes >= limit && first < messages.count }

  /// Adds a message; returns the task that is given it instead, if one waits.
  mutating func add(_ message: WebSocketMessage) -> Reader? {
    guard readers.isEmpty else { return readers.removeFirst() }
    messages.append(message)
    bytes += Self.size(of: message)
    return nil
  }

  /// Takes the oldest message; nil if there is none.
  mutating func take() -> WebSocketMessage? {
    guard first < messages.count else { return nil }
    let message = messages[first]
    first += 1
    if first == messages.count || first > 1024 {
      messages.removeFirst(first)
      first = 0
    }
    bytes -= Self.size(of: message)
    return message
  }

  mutating func wait(_ reader: Reader) { readers.append(reader) }

  /// Removes a waiting task.
  mutating func removeReader(_ number: Int) -> Reader? {
    readers.firstIndex { $0.number == number }.map { readers.remove(at: $0) }
  }

  /// Removes all waiting tasks.
  mutating func takeReaders() -> [Reader] {
    defer { readers = [] }
    return readers
  }

  private static func size(of message: WebSocketMessage) -> Int {
    switch message {
    case .text(let text): max(text.utf8.count, overhead)
    case .binary(let bytes): max(bytes.count, overhead)
    }
  }
}
