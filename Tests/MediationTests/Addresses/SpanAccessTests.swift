import Testing

@testable import Mediation

@Suite struct SpanAccessTests {
  private struct Failure: Error, Equatable { let count: Int }

  @Test(
    "The bytes of a text are its UTF-8",
    arguments: [
      "", "a", "fifteen bytes..", "sixteen bytes...", "é", "\u{1F600}", String(repeating: "long", count: 300),
    ])
  func bytes(text: String) {
    let copy = SpanAccess.withBytes(of: text) { bytes in bytes.indices.map { bytes[$0] } }
    #expect(copy == Array(text.utf8))
  }

  @Test("The closure's error keeps its type")
  func failure() {
    do throws(Failure) {
      try SpanAccess.withBytes(of: "abc") { bytes throws(Failure) in throw Failure(count: bytes.count) }
    } catch {
      #expect(error == Failure(count: 3))
    }
  }

  @Test("A buffer has the requested size and begins with zeros", arguments: [1, 8, 1024, 1100])
  func buffer(count: Int) {
    SpanAccess.withBuffer(of: count) { buffer in
      #expect(buffer.count == count)
      #expect(buffer.indices.allSatisfy { buffer[$0] == 0 })
      buffer[count - 1] = 7
      #expect(buffer.span[count - 1] == 7)
    }
  }

  @Test("Offsets hold one for each segment that a URL may have, and one for the end")
  func offsets() {
    var offsets = SpanAccess.Offsets()
    for index in 0...URLLimits.segments { offsets.set(index, to: URLLimits.url - index) }
    let copy = offsets.withSpan { span in (0...URLLimits.segments).map { Int(span[$0]) } }
    #expect(copy == (0...URLLimits.segments).map { URLLimits.url - $0 })
  }
}
