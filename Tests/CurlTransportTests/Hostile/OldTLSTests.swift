import CurlTransport
import Interception
import LoopbackServing
import Testing

/// A server with old versions of TLS, which nginx refuses under Debian's default policy.
@Suite(.timeLimit(.minutes(5)))
struct OldTLSTests {
  @Test(
    "E4: Old versions of TLS are refused even if the server supports them", arguments: ["-tls1", "-tls1_1"])
  func oldVersions(version: String) async throws {
    let bench = try await TLSPeerBench([version, "-cipher", "ALL:@SECLEVEL=0"])
    // OpenSSL's client connects, which proves that the server supports the version.
    #expect(try await bench.peer.accepts(["\(version)", "-cipher", "ALL:@SECLEVEL=0"]))
    let error = try #require(await bench.error(bench.start()))
    #expect(error.kind == .tls(.handshake), "\(error)")
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(await bench.dispatcher.census().isEmpty)
  }
}
