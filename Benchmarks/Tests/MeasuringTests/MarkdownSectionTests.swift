import Measuring
import Testing

@Suite("The part of a document that the bench writes")
struct MarkdownSectionTests {
  private static let (start, end) = (MarkdownSection.start, MarkdownSection.end)

  @Test("is replaced, and nothing else is")
  func replaced() {
    let document = "# Results\n\n\(Self.start)\nold\n\(Self.end)\n\nWords.\n"
    #expect(
      MarkdownSection.replaced(in: document, by: "new\n\n")
        == "# Results\n\n\(Self.start)\n\nnew\n\n\(Self.end)\n\nWords.\n")
  }

  @Test("is not written unless its two lines stand in the document once, in order")
  func refused() {
    for document in [
      "", "words", Self.start, "\(Self.end)\n\(Self.start)", "\(Self.start)\n\(Self.start)\n\(Self.end)",
    ] {
      #expect(MarkdownSection.replaced(in: document, by: "new") == nil)
    }
  }
}
