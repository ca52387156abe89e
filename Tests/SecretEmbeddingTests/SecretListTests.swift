import Testing

@testable import SecretEmbedding

@Suite struct SecretListTests {
  private func list(_ text: String) -> SecretList { SecretList(text.utf8) }

  @Test("Each line gives a name and a path; comments, empty lines and spaces around the words don't count")
  func valid() {
    let text =
      "\u{FEFF}# Keys.\r\n\r\n  platformKey=~/.shop/platform.key \r\n\tb2_C = ../keys/a = b\n_c = /run/é"
    let list = list(text)
    #expect(list.faults == [])
    #expect(
      list.secrets == [
        ListedSecret(name: "platformKey", path: "~/.shop/platform.key", line: 3),
        ListedSecret(name: "b2_C", path: "../keys/a = b", line: 4),
        ListedSecret(name: "_c", path: "/run/é", line: 5),
      ])
    #expect(
      list.secrets.map { $0.file(package: "/src/shop", home: "/home/u") } == [
        "/home/u/.shop/platform.key", "/src/shop/../keys/a = b", "/run/é",
      ])
  }

  @Test(
    "A name must be that of a property",
    arguments: [
      "", "Key", "1key", "a-b", "a b", "schlüssel", "_", "__", "init", "self", "a.b", "`a`", "$0", "a\u{0}",
      String(repeating: "a", count: 129),
    ])
  func names(name: String) {
    let list = list("\(name) = /k\nb = /b")
    #expect(list.secrets == [ListedSecret(name: "b", path: "/b", line: 2)])
    #expect(list.faults.count == 1 && list.faults[0].line == 1)
    #expect(list.faults.first?.reason.hasPrefix("the name is not that of a property") == true)
  }

  @Test("Keywords are names, because the code quotes them", arguments: ["default", "class", "in", "let"])
  func keywords(name: String) { #expect(list("\(name) = /k").faults == []) }

  @Test(
    "A path begins with /, ~/ or ../, has no control characters, and anything else is not quoted",
    arguments: [
      "", "s3cr3t-value", "keys/platform.key", "./key", "~", "~/", "/", "../", "..", "~u/key", "$HOME/key",
      "/a\u{0}b", "/a\tb", "/a\u{1B}[31m", "\"/k\"",
    ])
  func paths(path: String) throws {
    let list = list("key = \(path)")
    #expect(list.secrets.isEmpty)
    let fault = try #require(list.faults.first)
    #expect(list.faults.count == 1 && fault.line == 1)
    #expect(fault.reason.hasPrefix("expected the path of a file that holds the secret"))
    #expect(!fault.reason.contains("s3cr3t") && !fault.reason.contains("\u{1B}"))
  }

  @Test("A line that is no assignment is refused, and not quoted")
  func noAssignment() {
    let list = list("s3cr3t")
    #expect(list.faults == [SecretFault(line: 1, reason: "expected NAME = PATH")])
  }

  @Test("A name that occurs again is refused with both lines")
  func duplicates() {
    let list = list("a = /k\n\na = /l\n")
    #expect(
      list.faults == [
        SecretFault(line: 3, reason: "line 1 has the name \"a\", too; choose another one")
      ])
  }

  @Test("All faults of all lines are reported, in the format of a compiler")
  func several() {
    let list = list("a = b\nC = d\n= \n")
    #expect(list.faults.map(\.line) == [1, 2, 2, 3, 3])
    let text = SecretFault(line: 7, reason: "the reason").text(in: "/src/List.txt")
    #expect(text == "/src/List.txt:7: error: the reason")
  }

  @Test("A list without a secret, too long, with too many secrets or in another encoding is refused")
  func whole() {
    for text in ["", "\n\n", "# a = /k\n"] {
      #expect(list(text).faults.first?.reason.hasPrefix("no secret") == true)
    }
    let long = SecretList([UInt8](repeating: 0x0A, count: SecretList.maximumSize + 1))
    #expect(long.faults.first?.reason.hasPrefix("the file is larger than 64 KiB") == true)
    #expect(SecretList([0xFF, 0xFE, 0x61]).faults.first?.reason.hasPrefix("the file is not UTF-8") == true)
    let lines = (0...SecretList.maximumCount).map { "k\($0) = /k" }
    #expect(list(lines.dropLast().joined(separator: "\n")).faults == [])
    #expect(
      list(lines.joined(separator: "\n")).faults == [
        SecretFault(line: 101, reason: "more than 100 secrets are listed")
      ])
  }
}
