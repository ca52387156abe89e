import RequestSigning
import Testing

@testable import ValkeyStores

@Suite struct ServerFaultTests {
  private static let fault = ServerFault(server: "The nonce store at a:1/0")

  @Test(
    "Each error of a server has a kind, and a remedy",
    arguments: [
      ("OOM command not allowed when used memory > 'maxmemory'.", .full),
      ("NOAUTH Authentication required.", .refused), ("WRONGPASS invalid username-password pair", .refused),
      ("NOPERM this user has no permissions", .refused), ("READONLY You can't write", .refused),
      ("MOVED 3999 127.0.0.1:6381", .refused), ("LOADING Redis is loading", .unreachable),
      ("MISCONF Redis is configured to save RDB snapshots", .refused), ("ERR unknown command", .refused),
      ("", .refused), ("lower case", .refused),
    ] as [(String, NonceStoreError.Kind)])
  func kinds(_ reply: String, _ kind: NonceStoreError.Kind) {
    let error = Self.fault.error(for: reply)
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("The nonce store at a:1/0"))
    #expect(error.description.contains(";"))
  }

  @Test("C8: The text of an error reply is not quoted, because it may repeat a password")
  func quoting() {
    let error = Self.fault.error(for: "ERR invalid password hunter2 HUNTER2")
    #expect(error.description.contains("ERR"))
    #expect(!error.description.lowercased().contains("hunter2"))
    let long = Self.fault.error(for: String(repeating: "A", count: 10_000))
    #expect(long.description.utf8.count < 300)
  }

  @Test("C8: No text of a configuration contains the credentials")
  func configuration() {
    let configuration = ValkeyConfiguration(host: "a", username: "fleet", password: "hunter2")
    var dumped = ""
    dump(configuration, to: &dumped)
    dump(ValkeyNonceStore(configuration), to: &dumped)
    for text in [dumped, "\(configuration)", String(reflecting: configuration)] {
      #expect(!text.contains("hunter2"))
      #expect(text.contains("a:6379/0"))
    }
  }
}
