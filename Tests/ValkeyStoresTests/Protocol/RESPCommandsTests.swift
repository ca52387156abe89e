import Testing

@testable import ValkeyStores

@Suite struct RESPCommandsTests {
  @Test("Words are sent with their lengths in bytes, so that no byte is special")
  func encoding() {
    var commands = RESPCommands()
    commands.append("SET", "上\r\n", "")
    commands.append("PING")
    #expect(commands.count == 2)
    #expect(
      String(decoding: commands.bytes, as: UTF8.self)
        == "*3\r\n$3\r\nSET\r\n$5\r\n上\r\n\r\n$0\r\n\r\n*1\r\n$4\r\nPING\r\n")
  }
}
