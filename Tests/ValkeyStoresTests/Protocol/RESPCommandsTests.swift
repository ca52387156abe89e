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

  @Test("A value of any bytes is set with a time to live, and lists of commands are joined")
  func values() {
    var commands = RESPCommands()
    commands.append(["DEL", "a", "b"])
    var others = RESPCommands()
    others.appendSet("k", [0x0D, 0xFF], milliseconds: 50)
    commands.append(contentsOf: others)
    let expected =
      "*3\r\n$3\r\nDEL\r\n$1\r\na\r\n$1\r\nb\r\n*4\r\n$6\r\nPSETEX\r\n$1\r\nk\r\n$2\r\n50\r\n$2\r\n"
    #expect(commands.bytes == Array(expected.utf8) + [0x0D, 0xFF, 0x0D, 0x0A])
    #expect(commands.count == 2)
  }
}
