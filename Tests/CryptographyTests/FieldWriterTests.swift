import Testing

@testable import Cryptography

@Suite struct FieldWriterTests {
  @Test(
    "The written bytes equal those of LengthPrefixed",
    arguments: ["", "a", "a text of more than fifteen bytes", "上海", String(repeating: "x", count: 300)])
  func fields(_ text: String) {
    var expected = LengthPrefixed()
    expected.append(text)
    expected.append(text, upTo: text.utf8.count / 2)
    expected.append(Array(text.utf8))
    expected.append(byte: 7)
    expected.append(1, .max)
    let written = FieldWriter.bytes(reserving: 2_000) { fields in
      fields.append(text)
      fields.append(text, upTo: text.utf8.count / 2)
      fields.append(Array(text.utf8))
      fields.append(byte: 7)
      fields.append(1, .max)
    }
    #expect(written == expected.bytes)
    var seen: [UInt8] = []
    let isRead = FieldWriter.withBytes(reserving: 2_000) { fields in
      fields.append(text)
    } read: {
      seen = Array($0)
      return true
    }
    var first = LengthPrefixed()
    first.append(text)
    #expect(isRead && seen == first.bytes)
  }

  @Test("A nested field consists of its fields, preceded by their length")
  func nested() {
    var place = 0..<0
    let written = FieldWriter.bytes(reserving: 100) { fields in
      fields.append("before")
      place = fields.appendNested { inner in
        inner.append("a")
        inner.append("")
      }
      fields.append("after")
    }
    var inner = LengthPrefixed()
    inner.append("a")
    inner.append("")
    var expected = LengthPrefixed()
    expected.append("before")
    expected.append(inner.bytes)
    expected.append("after")
    #expect(written == expected.bytes)
    #expect(Array(written[place]) == inner.bytes)
  }

  @Test("Fields already encoded are written unchanged, and written bytes can be discarded")
  func takenBack() {
    let fields = FieldWriter.bytes(reserving: 30) { fields in
      fields.append(count: 2)
      fields.append("gone")
      fields.truncate(to: FieldWriter.prefixSize)
      fields.append(written: [0, 0, 0, 0, 0, 0, 0, 0])
    }
    #expect(fields == [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("The reserved bytes can be filled completely")
  func full() {
    #expect(FieldWriter.bytes(reserving: 10) { $0.append("ab") } == [0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62])
    #expect(FieldWriter.bytes(reserving: 0) { _ in } == [])
  }

  @Test("Writing more than was reserved traps before other memory is overwritten")
  func tooSmall() async {
    await #expect(processExitsWith: .failure) {
      _ = FieldWriter.bytes(reserving: 9) { $0.append("ab") }
    }
  }
}
