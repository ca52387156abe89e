#if os(Linux)
import Foundation
import LoopbackServing
import NetworkFaults

extension DelayLine {
  /// Starts a line to a TLS server that says to which of its addresses a client has connected.
  static func toAddresses() async throws -> DelayLine {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "address-server.py")
      .path
    return try await DelayLine { certificates in
      ["python3", script, certificates.certificate(.good), certificates.key(.good)]
    }
  }
}
#endif
