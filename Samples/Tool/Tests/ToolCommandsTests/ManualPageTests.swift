import Testing
import ToolCommands

@Suite struct ManualPageTests {
  private static let description = #"""
    {"serializationVersion": 0, "command": {"commandName": "tool", "abstract": "Does things.",
     "discussion": "A text.\n\n.SH is no request here\n  1  a table\n", "subcommands": [
       {"commandName": "get", "abstract": "Gets - one.", "arguments": [
         {"kind": "positional", "valueName": "url", "abstract": "The URL.", "isOptional": false,
          "isRepeating": false, "shouldDisplay": true},
         {"kind": "option", "valueName": "file", "abstract": "A \\path\\.", "isOptional": true, "defaultValue": "x",
          "isRepeating": false, "shouldDisplay": true,
          "names": [{"kind": "short", "name": "o"}, {"kind": "long", "name": "out-put"}]},
         {"kind": "flag", "abstract": "Help.", "isOptional": true, "isRepeating": false, "shouldDisplay": true,
          "names": [{"kind": "long", "name": "help"}]}]},
       {"commandName": "secret", "shouldDisplay": false}, {"commandName": "help"}]}}
    """#

  @Test(
    "A page has the commands that are shown, their arguments and options, and escapes what roff would obey")
  func page() throws {
    let page = try ManualPage(description: Self.description, version: "1.2").text
    #expect(
      page.hasPrefix(".TH \"TOOL\" 1 \"\" \"tool 1.2\" \"User Commands\"\n.SH NAME\ntool \\- Does things.\n"))
    #expect(page.contains(".SS \"tool get url\"\nGets \\- one.\n"))
    #expect(page.contains(".TP\n\\fIurl\\fR\nThe URL.\n"))
    #expect(
      page.contains(".TP\n\\fB\\-o\\fR, \\fB\\-\\-out\\-put\\fR \\fIfile\\fR\nA \\epath\\e. Default: x.\n"))
    #expect(page.contains("\n\\&.SH is no request here\n.nf\n  1  a table\n.fi\n"))
    #expect(!page.contains("secret"))
    #expect(!page.contains("\\-\\-help"))
  }

  @Test("A description of an unknown form is refused")
  func unknown() {
    #expect(throws: ToolFailure.self) { try ManualPage(description: "{}", version: "1") }
  }
}
