import Testing

@testable import ValkeyStores

@Suite struct ServerHostTests {
  @Test(
    "A host with a null byte is refused, instead of the host before it",
    arguments: ["127.0.0.1\0", "127.0.0.1\0.evil", "\0"])
  func nullByte(_ host: String) {
    #expect(throws: ServerConnection.Failure.closed("the host contains a null byte")) {
      try ServerConnection(host: host, port: 1, connectTimeout: .seconds(1), commandTimeout: .seconds(1))
    }
  }
}
