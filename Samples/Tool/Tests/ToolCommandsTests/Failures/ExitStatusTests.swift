import HTTPTypes
import Interception
import RedirectFollowing
import Testing
import ToolCommands

@Suite struct ExitStatusTests {
  @Test(
    "A kind of error has the status that curl has for it",
    arguments: [(NetworkError.Kind, Int32)]([
      (.resolve, 6), (.connect, 7), (.offline, 7), (.timeout(.connect), 28),
      (.timeout(.call), 28), (.timeout(.idle), 28), (.tls(.handshake), 35), (.tls(.untrusted), 60),
      (.tls(.nameMismatch), 60), (.tls(.expired), 60), (.invalidRequest, 3), (.protocolViolation, 8),
      (.transport, 56), (.bodyTooLarge(limit: 1), 63), (.bodyNotReplayable, 65), (.cancelled(.task), 130),
      (.rejected, 70),
    ]))
  func kinds(kind: NetworkError.Kind, status: Int32) {
    #expect(ExitStatus(NetworkError(kind, "It failed.")).rawValue == status)
  }

  @Test("Every status of the table is there once, in ascending order, and the table has a line for each")
  func table() {
    let numbers = ExitStatus.meanings.map(\.status.rawValue)
    #expect(numbers == Set(numbers).sorted())
    #expect(ExitStatus.table.split(separator: "\n").count == numbers.count)
    #expect(ExitStatus.table.contains(" 22  the status is 400 or above"))
  }

  @Test("The text of a failure has a limit, and no control characters of a server")
  func printable() {
    let failure = ToolFailure(NetworkError(.rejected, "Evil \u{1B}[2J text\r\nnext\u{202E}"))
    #expect(failure.description == "rejected: Evil \\u{1B}[2J text\\u{D}\\u{A}next\\u{202E}")
    #expect(Printable.text("Häuser 😀") == "Häuser 😀")
    let long = ToolFailure(NetworkError(.rejected, String(repeating: "a", count: 5_000)))
    #expect(long.description.count == 1_001)
  }
}
