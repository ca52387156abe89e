import CurlTransport
import Interception
import LoopbackServing
import Testing

/// A server that really speaks an old TLS: nginx under Debian's default policy would refuse to by itself.
@Suite(.timeLimit(.minutes(5)))
struct OldTLSTests {
  @Test(arguments: ["-tls1", "-tls1_1"])
  func `E4: an old version of TLS is refused, though the server would have spoken it`(version: String)
    async throws
  {
    let bench = try await TLSPeerBench([version, "-cipher", "ALL:@SECLEVEL=0"])
    // The proof that the server can: OpenSSL's own client, told to be as careless.
    #expect(try await bench.peer.accepts(["\(version)", "-cipher", "ALL:@SECLEVEL=0"]))
    let error = try #require(await bench.error(bench.start()))
    #expect(error.kind == .tls(.handshake), "\(error)")
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(await bench.dispatcher.census().isEmpty)
  }
}
