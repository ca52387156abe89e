import Foundation
import Testing

@testable import EstateServer

@Suite struct DemoKeyTests {
  static let secret = String(repeating: "0a", count: 32)

  @Test("The first start makes a key, readable by its owner only, and the next one reuses it")
  func kept() throws {
    let scratch = ScratchDirectory()
    let first = try StateDirectory(path: scratch.path).demoKey()
    let second = try StateDirectory(path: scratch.path).demoKey()
    #expect(first.id == second.id && first.secret == second.secret)
    #expect(first.secret.count == 32)
    #expect(try scratch.permissions("demo-key.json") == 0o600)
    let other = try StateDirectory(path: ScratchDirectory().path).demoKey()
    #expect(first.secret != other.secret && first.id != other.id)
  }

  @Test("The file has the two members that the client reads")
  func file() throws {
    let scratch = ScratchDirectory()
    let key = try StateDirectory(path: scratch.path).demoKey()
    struct Members: Decodable, Equatable {
      let keyID: String
      let secret: String
      let window: Int
    }
    let members = try JSONDecoder().decode(Members.self, from: scratch.bytes("demo-key.json"))
    #expect(members == Members(keyID: key.id, secret: Hexadecimal.text(key.secret), window: 300))
  }

  @Test(
    "A damaged file is reported by name",
    arguments: ["", "{}", "{\"keyID\":\"a\",\"secret\":\"zz\"}"])
  func damaged(text: String) throws {
    let scratch = ScratchDirectory()
    try scratch.write(text, to: "demo-key.json")
    let directory = try StateDirectory(path: scratch.path)
    let error = #expect(throws: StateDirectoryError.self) { try directory.demoKey() }
    #expect(error?.description.contains("\(scratch.path)/demo-key.json") == true)
    #expect(error?.description.contains("Delete") == true)
  }

  @Test("Printing a key never shows its secret")
  func secrecy() throws {
    let key = try DemoKey(id: "k", secretHex: Self.secret)
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped, "\([key])"] {
      #expect(!text.contains("10, 10") && !text.contains("0a0a") && text.contains("k"))
    }
  }
}
