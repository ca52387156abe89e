import Foundation
import HTTPTypes
import Interception
import RequestSigning
import SQLiteStores
import Synchronization
import Testing
import ValkeyStores

@testable import EstateServer

@Suite(.timeLimit(.minutes(5))) struct FleetVerifierTests {
  private let key: DemoKey

  init() throws { key = try DemoKey(id: "demo", secretHex: String(repeating: "0a", count: 32)) }

  private func signature(of target: String) throws -> HTTPFields {
    let head = HTTPRequest(method: .get, scheme: "https", authority: "localhost:8443", path: target)
    return HTTPFields(
      try RequestSigner(key: key.signing).sign(
        head, api: APIIdentity(service: "estate", name: "condos"), body: [], at: .now(), nonce: .random()))
  }

  @Test("H11: Two servers that share a file accept each request once")
  func sharedFile() async throws {
    let scratch = ScratchDirectory()
    _ = try StateDirectory(path: scratch.path)
    let reports = Mutex(0)
    let servers = try (0..<2).map { _ in
      try APICaller(
        verifier: FleetVerifier(
          key: key, nonces: try SQLiteNonceStore(path: scratch.path + "/nonces.sqlite")
        ) { _, policy in
          #expect(policy == .failOpen)
          reports.withLock { $0 += 1 }
        })
    }
    let fields = try signature(of: "/v1/condos")
    #expect(try await servers[0].get("/v1/condos", fields: fields).status == .ok)
    // The file is new, so that the request might have been accepted before.
    #expect(reports.withLock { $0 } == 1)
    let again = try await servers[1].get("/v1/condos", fields: fields)
    #expect(again.status == .unauthorized && again.errorCode == "replayed_nonce")
  }

  @Test("H11: Without the store of nonces requests are refused with 503, and reported")
  func unreachable() async throws {
    let reports = Mutex<[NonceStorePolicy]>([])
    let server = try APICaller(
      verifier: FleetVerifier(
        key: key, nonces: ValkeyNonceStore(ValkeyConfiguration(host: "127.0.0.1", port: 1))
      ) { _, policy in reports.withLock { $0.append(policy) } })
    let reply = try await server.get("/v1/condos", fields: signature(of: "/v1/condos"))
    #expect(reply.status == .serviceUnavailable && reply.errorCode == "verifier_busy")
    #expect(reports.withLock { $0 } == [.failClosed])
  }
}
