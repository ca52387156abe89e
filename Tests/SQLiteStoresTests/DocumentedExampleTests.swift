#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import RequestSigning
import ResponseCaching
import SQLiteStores
import SwitchyardTesting
import Testing

/// The examples of the documentation, which `DocumentationTests` compares with these.
@Suite(.timeLimit(.minutes(5))) struct DocumentedExampleTests {
  func cache(in directory: String) -> CachingInterceptor {
    let disk = SQLiteResponseStore(directory: directory) { fault in print("cache: \(fault)") }
    return CachingInterceptor(
      memory: MemoryStore(), store: disk, defaultRule: .stated())
  }

  @Test("A response under a memory store over a disk is found by a chain that is created later")
  func layers() async throws {
    let folder = try TemporaryFolder(prefix: "layers")
    let server = ScriptedDispatcher(
      answering: Response(
        status: .ok, headerFields: [.cacheControl: "max-age=600"], bytes: Array("a home".utf8)))
    let request = try Request("https://api.example.com/homes")
    let disk = SQLiteResponseStore(directory: folder.url.path)
    let first = CachingInterceptor(
      memory: MemoryStore(), store: disk, defaultRule: .stated())
    _ = try await Pipeline(over: server) { first }.send(request)
    await disk.close()

    let later = cache(in: folder.url.path)
    let response = try await Pipeline(over: server) { later }.send(request)
    #expect(response.exchange.cache?.isHit == true)
    #expect(server.requests.count == 1)
  }

  /// Compiled only, because of their paths.
  private func stores(_ key: SigningKey) throws {
    let nonces = try SQLiteNonceStore(path: "/var/lib/estate/nonces.sqlite")
    let verifier = SharedSignatureVerifier(
      SignatureVerifier(keys: SigningKeys(key)), nonces: nonces,
      ifUnavailable: .failClosed, ifForgotten: .failOpen
    ) { error, policy in print("nonces: \(error) \(policy)") }
    let disk = SQLiteResponseStore(directory: "/var/cache/estate/responses") { fault in
      print("cache: \(fault)")
    }
    let cache = CachingInterceptor(memory: MemoryStore(), store: disk)
    _ = (verifier, cache)
  }
}
#endif
