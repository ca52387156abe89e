import Testing
import ToolCommands

@Suite struct ShellWordTests {
  @Test(
    "A word is quoted as far as it has to be, and has no line break or control character",
    arguments: [
      ("plain-1.0/a=b", "plain-1.0/a=b"), ("", "''"), ("a b", "'a b'"), ("$HOME `id` \\", "'$HOME `id` \\'"),
      ("it's", "$'it\\'s'"), ("a\nb\t", "$'a\\nb\\t'"), ("\u{1B}[2J\\", "$'\\x1B[2J\\\\'"),
      ("Hi!", "$'Hi\\x21'"),
      ("\u{202E}", "$'\\xE2\\x80\\xAE'"), ("ü", "'ü'"), ("*?~", "'*?~'"),
    ])
  func quoting(text: String, word: String) { #expect(ShellWord.quoted(text) == word) }
}
