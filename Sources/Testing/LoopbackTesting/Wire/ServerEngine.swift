#if LoopbackTesting
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS
import SwitchyardTesting
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Sets up connections and streams, and tracks the open ones.
final class ServerEngine: Sendable {
  let configuration: LoopbackConfiguration
  let handler: LoopbackServer.Handler
  let state = WaitableValue(ServerState())
  private let tls: NIOSSLContext?
  private let connections = Mutex<[Int: any Channel]>([:])

  init(_ configuration: LoopbackConfiguration, _ handler: @escaping LoopbackServer.Handler) throws {
    self.configuration = configuration
    self.handler = handler
    tls = try configuration.makeTLSContext()
  }

  /// Marks the server as stopped; returns false if it already was.
  func close() -> Bool {
    state.update { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
  }

  /// Resets all open connections.
  func dropConnections() async {
    for channel in connections.withLock({ Array($0.values) }) { await channel.breakOff() }
  }

  /// Sets up an accepted connection.
  func accept(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let number = self.note(channel)
      try channel.pipeline.syncOperations.addHandler(ConnectionTap(), name: ConnectionTap.socket)
      switch self.configuration.greeting {
      case .serve: try self.prepare(channel, number)
      case .silent: break
      case .close: channel.eventLoop.execute { channel.close(promise: nil) }
      case .reset: Task { await channel.breakOff() }
      case .garbage(let bytes):
        channel.eventLoop.execute {
          channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
        }
      }
    }
  }

  private func note(_ channel: any Channel) -> Int {
    let number = state.update { state in
      state.counts.acceptedConnections += 1
      state.counts.openConnections += 1
      return state.counts.acceptedConnections
    }
    connections.withLock { $0[number] = channel }
    channel.closeFuture.whenComplete { _ in
      self.connections.withLock { $0[number] = nil }
      self.state.update { $0.counts.openConnections -= 1 }
    }
    if state.value.isStopped { channel.close(promise: nil) }
    return number
  }

  private func prepare(_ channel: any Channel, _ number: Int) throws {
    guard let tls else { return try speakHTTP1(channel, number) }
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
    try pipeline.addHandler(
      ApplicationProtocolNegotiationHandler { result, channel in
        channel.eventLoop.makeCompletedFuture {
          if case .negotiated("h2") = result {
            try self.speakHTTP2(channel, number)
          } else if self.configuration.versions.contains(.http1) {
            try self.speakHTTP1(channel, number)
          } else {
            throw LoopbackError("The client does not offer HTTP/2, and this server supports nothing else.")
          }
        }.flatMapErrorThrowing { error in
          channel.close(promise: nil)
          throw error
        }
      })
  }

  private func speakHTTP1(_ channel: any Channel, _ number: Int) throws {
    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
    let wrapped = try NIOAsyncChannel<HTTPServerRequestPart, Never>(wrappingChannelSynchronously: channel)
    let scheme = configuration.security.isOn ? "https" : "http"
    Task {
      try? await wrapped.executeThenClose { inbound in
        let intake = HTTP1Intake(inbound.makeAsyncIterator(), scheme: scheme, connection: number)
        await Conversation(engine: self, intake: intake, sink: HTTP1Sink(channel: channel, engine: self))
          .run()
      }
    }
  }

  private func speakHTTP2(_ channel: any Channel, _ number: Int) throws {
    let pipeline = channel.pipeline.syncOperations
    let blocks = HeaderBlocks()
    try pipeline.addHandler(ConnectionTap(reading: blocks), name: ConnectionTap.frames)
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: configuration.concurrentStreams),
      HTTP2Setting(parameter: .maxHeaderListSize, value: HPACKLimits.headerList),
      HTTP2Setting(parameter: .initialWindowSize, value: HPACKLimits.window),
    ]
    // Responses with a wrong length or other violations are part of the server's purpose.
    connection.contentLengthValidation = .disabled
    connection.headerBlockValidation = .disabled
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.targetWindowSize = HPACKLimits.window
    // Tests cancel more streams than a server would tolerate from an attacker.
    stream.streamResetFrameRateLimit.maximumCount = 1_000_000
    stream.streamErrorRateLimit.maximumCount = 1_000_000
    _ = try pipeline.configureHTTP2Pipeline(
      mode: .server, connectionConfiguration: connection, streamConfiguration: stream
    ) { stream in
      stream.eventLoop.makeCompletedFuture { try self.serve(stream, number, blocks) }
    }
  }

  private func serve(_ stream: any Channel, _ number: Int, _ blocks: HeaderBlocks) throws {
    let wrapped = try NIOAsyncChannel<HTTP2Frame.FramePayload, Never>(wrappingChannelSynchronously: stream)
    Task {
      try? await wrapped.executeThenClose { inbound in
        let id = (try? await stream.getOption(HTTP2StreamChannelOptions.streamID).get()) ?? .rootStream
        let intake = HTTP2Intake(
          inbound.makeAsyncIterator(), connection: number, stream: Int(id), blocks: blocks)
        await Conversation(
          engine: self, intake: intake, sink: HTTP2Sink(channel: stream, stream: id, engine: self)
        ).run()
      }
    }
  }
}

/// The limits that the server announces to HTTP/2 clients, in bytes.
enum HPACKLimits {
  static let headerList = 64 << 10
  static let window = 256 << 10
}

extension Channel {
  /// Resets the TCP connection, discarding pending data and without a TLS close notification.
  func breakOff() async {
    if let socket = self as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await eventLoop.submit {
      let tap = try self.pipeline.syncOperations.context(name: ConnectionTap.socket)
      tap.close(promise: nil)
    }.get()
    try? await closeFuture.get()
  }

  /// Writes bytes into the pipeline from a named handler onward.
  func write(_ bytes: [UInt8], from place: String) async throws {
    let promise = eventLoop.makePromise(of: Void.self)
    eventLoop.execute {
      do {
        let tap = try self.pipeline.syncOperations.context(name: place)
        tap.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: promise)
      } catch {
        promise.fail(error)
      }
    }
    try await promise.futureResult.get()
  }
}

/// A named position in a connection's pipeline for writing or closing, bypassing the handlers after it.
final class ConnectionTap: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The position at the socket, below TLS.
  static let socket = "loopback.socket"
  /// The position below HTTP/2 and above TLS.
  static let frames = "loopback.frames"

  private let blocks: HeaderBlocks?

  /// Creates a position; with `blocks`, what arrives at it is read as HTTP/2 frames.
  init(reading blocks: HeaderBlocks? = nil) { self.blocks = blocks }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    blocks?.read(unwrapInboundIn(data).readableBytesView)
    context.fireChannelRead(data)
  }
}
#endif
