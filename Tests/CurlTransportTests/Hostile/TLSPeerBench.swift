import CurlTransport
import Foundation
import HTTPTypes
import Interception
import LoopbackServing

/// A scripted TLS peer, and a dispatcher that trusts it.
final class TLSPeerBench: Sendable {
  let peer: TLSPeer
  let dispatcher: CurlDispatcher
  private let folder: URL

  init(_ arguments: [String] = ["-alpn", "h2"]) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("peer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let certificates = try await CertificateSet(in: folder)
    peer = try await TLSPeer(certificates, arguments)
    dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: certificates.authorityFile)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func start(_ method: HTTPRequest.Method = .get) -> Task<Result<[UInt8], NetworkError>, Never> {
    let request = Request(method: method, authority: "127.0.0.1:\(peer.port)", path: "/?secret").with {
      $0.options.timeouts = .init(connect: .seconds(60), whole: .seconds(120))
    }
    return Task { [dispatcher] in
      do throws(NetworkError) {
        return .success(try await dispatcher.dispatch(request).body.collect(upTo: 1000))
      } catch {
        return .failure(error)
      }
    }
  }

  func error(_ task: Task<Result<[UInt8], NetworkError>, Never>) async -> NetworkError? {
    guard case .failure(let error) = await task.value else { return nil }
    return error
  }
}
