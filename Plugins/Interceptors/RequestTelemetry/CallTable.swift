import Interception
import Tracing

/// The calls in flight, and how many requests each has sent.
struct CallTable: Sendable {
  /// A call in flight.
  struct Call: Sendable {
    let api: APIIdentity?
    let startedAt: Duration
    let span: (any Span)?
    /// The number of requests sent, including those of redirects and of renewed credentials.
    var sends = 0

    init(api: APIIdentity?, startedAt: Duration, span: (any Span)?) {
      self.api = api
      self.startedAt = startedAt
      self.span = span
    }
  }

  // Copies of a request share its id, so concurrent calls with the same id are stacked.
  private var calls: [RequestID: [Call]] = [:]

  /// Whether no call is in flight.
  var isEmpty: Bool { calls.isEmpty }

  mutating func begin(_ call: Call, _ id: RequestID) { calls[id, default: []].append(call) }

  /// Records that a request is sent; returns nil if its call has ended, as with a revalidation in the
  /// background, or was never observed.
  mutating func noteSend(of id: RequestID) -> (span: (any Span)?, earlierSends: Int)? {
    guard let index = calls.index(forKey: id), let last = calls.values[index].indices.last else { return nil }
    defer { calls.values[index][last].sends += 1 }
    return (calls.values[index][last].span, calls.values[index][last].sends)
  }

  mutating func end(_ id: RequestID) -> Call? {
    guard let call = calls[id]?.popLast() else { return nil }
    if calls[id]?.isEmpty == true { calls[id] = nil }
    return call
  }
}

/// A request that was sent and has not ended.
struct SentRequest: Sendable {
  /// The request, without the context of its span.
  let request: Request
  let method: MethodLabel
  let api: APIIdentity?
  let startedAt: Duration
  let span: (any Span)?
  /// The span of the call to which it belongs.
  let callSpan: (any Span)?
  /// The context that is sent to the server.
  let context: ServiceContext
  /// The number of requests that the same call sent before.
  let resendCount: Int
}

/// A byte source that reports once that its stream has ended, and with which error.
final class EndedByteSource: ByteSource {
  private let source: any ByteSource
  private let notify: SingleUse<@Sendable (NetworkError?) -> Void>

  /// - Parameter notify: Receives nil if the stream was read completely or dropped by its reader.
  init(_ source: any ByteSource, whenEnded notify: @escaping @Sendable (NetworkError?) -> Void) {
    self.source = source
    self.notify = SingleUse(notify)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      guard let chunk = try await source.read() else {
        notify.take()?(nil)
        return nil
      }
      return chunk
    } catch {
      notify.take()?(error)
      throw error
    }
  }

  func cancel() {
    source.cancel()
    notify.take()?(nil)
  }
}
