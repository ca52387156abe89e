import Testing
import ToolCommands

@Suite struct DownloadNameTests {
  @Test(
    "The name is the last part of the path, and leads to no other folder",
    arguments: [
      ("/a/file.bin", "file.bin"), ("/a/file.bin?x=/y", "file.bin"), ("/a/b/", "b"),
      ("/my%20file", "my file"),
      ("/..%2F..%2Fetc%2Fpasswd", "etcpasswd"), ("/.bashrc", "bashrc"), ("/a%00%1Bb", "ab"),
      ("/%E2%82%AC", "€"),
    ])
  func names(path: String, name: String) throws { #expect(try DownloadName.name(ofPath: path) == name) }

  @Test("A path without a name is refused with a hint", arguments: ["", "/", "/..", "/%2F", "/?a=b"])
  func faults(path: String) {
    let failure = #expect(throws: ToolFailure.self) { try DownloadName.name(ofPath: path) }
    #expect(failure?.status == .usage)
    #expect(failure?.description.contains("-o FILE") == true)
  }

  @Test("A digest has 64 digits in either case, and is compared with bytes")
  func digests() {
    let digits = String(repeating: "aB", count: 32)
    #expect(ExpectedDigest(digits)?.matches([UInt8](repeating: 0xAB, count: 32)) == true)
    #expect(ExpectedDigest(digits)?.matches([UInt8](repeating: 0xAC, count: 32)) == false)
    #expect(ExpectedDigest("ab") == nil)
    #expect(ExpectedDigest(String(repeating: "x", count: 64)) == nil)
    #expect(ExpectedDigest.digits([0, 15, 255]) == "000fff")
  }
}
