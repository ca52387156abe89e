#if os(Linux)
import Interception
import NetworkFaults
import Testing

/// A network, or a server, with which HTTP/3 can't be used as it should.
enum FaultyNetwork: String, CaseIterable, CustomTestStringConvertible {
  case none = "no fault"
  case dropped = "UDP dropped"
  case refused = "UDP refused: no such port"
  case forbidden = "UDP refused: forbidden"
  case losesLittle = "5 % of UDP lost"
  case losesMuch = "30 % of UDP lost"
  case shortPackets = "packets of at most 1,200 bytes"
  case throttled = "UDP at 2 kB/s"
  case advertisedOnly = "advertised, not spoken"
  case stalls = "handshake stalls"
  case version = "version refused"
  case certificate = "certificate wrong over HTTP/3"

  var testDescription: String { rawValue }

  /// The versions that may carry a request; where there are two, it depends on which packets are lost.
  var versions: Set<TransportReport.HTTPVersion> {
    switch self {
    case .none: [.http3]
    case .losesLittle, .losesMuch: [.http2, .http3]
    default: [.http2]
    }
  }

  /// Lets the network, or the server, have the fault from now on.
  func begin(at server: HTTP3FaultServer) async throws {
    let (line, host) = (server.line, HTTP3FaultServer.host)
    switch self {
    case .none: break
    case .dropped: try await line.drop(host, .udp)
    case .refused: try await line.refuse(host, .udp, by: .port)
    case .forbidden: try await line.refuse(host, .udp, by: .administration)
    case .losesLittle: try await line.lose(host, .udp, share: 0.05)
    case .losesMuch: try await line.lose(host, .udp, share: 0.3)
    case .shortPackets: try await line.limit(host, packetLength: 1_200)
    // A handshake takes longer than the head start.
    case .throttled: try await line.limit(host, .udp, bytesPerSecond: 2_000)
    case .advertisedOnly: try server.set(.silent)
    case .stalls: try server.set(.stall)
    case .version: try server.set(.version)
    case .certificate: try server.set(.certificate)
    }
  }

  /// Ends each fault.
  static func end(at server: HTTP3FaultServer) async throws {
    try server.set(.none)
    try await server.restore()
  }
}
#endif
