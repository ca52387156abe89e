import Testing
import ToolCommands

@Suite struct FormArgumentTests {
  @Test(
    "A field has a text or a file",
    arguments: [
      ("a=b", "a", FormArgument.Content.text("b")), ("a=", "a", .text("")), ("a=b=c", "a", .text("b=c")),
      ("a=@/x/y", "a", .file("/x/y")), ("a=@@b", "a", .text("@b")),
    ])
  func forms(text: String, name: String, content: FormArgument.Content) throws {
    let argument = try FormArgument(text)
    #expect(argument.name == name)
    #expect(argument.content == content)
    #expect(FormArgument.needsParts([argument]) == (content == .file("/x/y")))
  }

  @Test("A field without a name is refused as a wrong command line", arguments: ["", "a", "=b"])
  func faults(text: String) {
    #expect(#expect(throws: ToolFailure.self) { try FormArgument(text) }?.status == .usage)
  }
}
