import HTTPTypes
import Interception

/// The limits and time limits of a WebSocket, and what it offers to the server.
public struct WebSocketConfiguration: Sendable, Hashable {
  /// The subprotocols that are offered, the preferred one first; none by default.
  public var subprotocols: [String] = []
  /// The compression of messages that the socket offers; nil, the default, offers none.
  ///
  /// The server may decline it.
  ///
  /// The product `WebSocketCompression` creates one.
  public var compression: Compression?
  /// The maximum length of a frame that the server sends; 16 MiB by default.
  package var maximumFrameLength = 16 << 20
  /// The maximum length of a message that the server sends, all fragments together, and decompressed; 16 MiB
  /// by default.
  public var maximumMessageLength = 16 << 20
  /// The maximum number of bytes of unread messages; 256 KiB by default.
  ///
  /// Beyond it, no more are received until one is read.
  ///
  /// Every message counts at least 64 bytes.
  package var receiveBuffer = 256 << 10
  /// The time without a received byte after which a ping is sent; 30 s by default.
  ///
  /// Nil sends none.
  public var pingInterval: Duration? = .seconds(30)
  /// The time in which the server must send something after a ping; 20 s by default.
  public var pongTimeout: Duration = .seconds(20)
  /// The time in which the server must respond to a close frame; 10 s by default.
  package var closeTimeout: Duration = .seconds(10)

  /// Creates the default configuration.
  public init() {}

  var readingLimits: ReadingLimits {
    ReadingLimits(frame: max(maximumFrameLength, 0), message: max(maximumMessageLength, 0))
  }
}

extension WebSocketConfiguration {
  /// When a ``ReconnectingWebSocket`` connects again, and how long it waits before.
  ///
  /// The wait is a random part of a limit that doubles with each failure in a row ("full jitter"), so that
  /// the clients of a server that restarts do not return at once.
  public struct Reconnection: Sendable, Hashable {
    /// The limit of the first wait; 500 ms by default, and no wait is shorter than 100 ms.
    package var firstLimit: Duration = .milliseconds(500)
    /// The maximum of all waits, also of those that a server asks for with `Retry-After`; 60 s by default.
    public var maximumWait: Duration = .seconds(60)
    /// The maximum number of failures in a row; nil, the default, means no maximum.
    public var maximumFailures: Int?
    /// The time after which an open connection counts as a success; 5 s by default.
    package var stableAfter: Duration = .seconds(5)
    /// The close codes after which it connects again, besides connections that end without one.
    package var codes: Set<WebSocketCloseCode> = [
      .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Creates the default policy.
    public init() {}

    /// The shortest wait, because a server that closes each connection decides the pace of the attempts.
    private static let shortestWait = Duration.milliseconds(100)

    /// Whether another attempt may succeed after an error.
    ///
    /// Another attempt may succeed after a lost connection, a missing pong, the close codes of ``codes``, and
    /// the statuses 408, 429 and 5xx. It cannot succeed after a refusal by another status, or a violation of
    /// the protocol.
    package func reconnects(after error: WebSocketError) -> Bool {
      switch error.kind {
      case .pongTimeout: true
      case .network: error.networkError?.isOfNetwork ?? false
      case .closed(let closure): closure?.code.map(codes.contains) ?? false
      case .refused:
        error.response.map { [408, 429].contains($0.status.code) || $0.status.code >= 500 } ?? false
      case .handshakeFailed, .protocolViolation, .notConnected, .cancelled: false
      }
    }

    /// Returns the wait before the next attempt; nil if there is none.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row, with the present one.
    ///   - random: A number from 0 up to, but not including, 1.
    func wait(after error: WebSocketError, failures: Int, random: Double) -> Duration? {
      guard reconnects(after: error), failures <= maximumFailures ?? failures else { return nil }
      let limit = min(firstLimit * (1 << min(max(failures - 1, 0), 20)), maximumWait)
      let requested = min(Self.requestedWait(error.response) ?? .zero, maximumWait)
      return max(limit * random, requested, Self.shortestWait)
    }

    /// The seconds of `Retry-After`; its form with a date is ignored.
    private static func requestedWait(_ response: Response?) -> Duration? {
      response?.head.headerFields.singleValue(.retryAfter).flatMap { Int32($0) }.map { .seconds(max($0, 0)) }
    }
  }
}
