public import ArgumentParser
import BodyCompression
import HTTPTypes
import Interception
import RequestSigning

/// Sends bodies of 1 MiB through one interceptor that reads them, before a stub.
public struct BodyLoad: Sendable {
  /// What is done to each body.
  public enum Work: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// SHA-256, by the signing interceptor.
    case digest
    case gzip
    case brotli
    case zstd
  }

  /// The length of a body.
  public static let size = 1 << 20
  private let pipeline: Pipeline
  private let request: Request

  /// Creates the body and the chain.
  public init(_ work: Work) throws {
    let stub = StubDispatcher(cacheControl: "no-store")
    var request = Request(
      method: .post, authority: "api.example.com", path: "/v1/houses",
      headerFields: [.contentType: "application/json"], body: .bytes(Self.body()))
    let coding: ContentCoding? =
      switch work {
      case .digest: nil
      case .gzip: .gzip
      case .brotli: .brotli
      case .zstd: .zstd
      }
    if let coding {
      request.context.requestCompression = .unlessRefused(coding)
      pipeline = try Pipeline(over: stub) { CompressionInterceptor() }
    } else {
      let key = try AppChain.key
      pipeline = try Pipeline(over: stub) { SigningInterceptor(key: key, identity: .app) }
    }
    self.request = request
  }

  /// Sends `count` bodies; throws the first error.
  @concurrent public func send(_ count: Int) async throws {
    for _ in 0..<count {
      let response = try await pipeline.send(
        Request(request.head, body: request.body, context: request.context))
      guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
    }
  }

  /// The body of LibraryPeer.
  private static func body() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 128)
    var number: UInt32 = 0
    while bytes.count < size {
      let row =
        "{\"id\":\(number),\"city\":\"CITY-\(number &* 7_919 % 97)\",\"price\":\(number &* 2_654_435_761 % 900_000)}\n"
      bytes += Array(row.utf8)
      number += 1
    }
    return Array(bytes.prefix(size))
  }
}
