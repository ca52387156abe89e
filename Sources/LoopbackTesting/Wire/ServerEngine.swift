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
#endif
