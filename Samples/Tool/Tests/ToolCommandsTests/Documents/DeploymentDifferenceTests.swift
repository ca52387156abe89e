import Deployment
import Interception
import Testing
import ToolCommands

@Suite("The difference of deployment documents")
struct DeploymentDifferenceTests {
  private static func draft(_ version: UInt64, _ parts: [String: String]) -> DeploymentDraft {
    var draft = DeploymentDraft(
      version: version, validFrom: WallTime(secondsSince1970: 100), until: WallTime(secondsSince1970: 200))
    for (name, content) in parts { draft.setPart(name, to: Array(content.utf8)) }
    return draft
  }

  private static func lines(_ old: DeploymentDraft, _ new: DeploymentDraft) -> [String] {
    DeploymentDifference(from: old, to: new).lines(Ink(isOn: false))
  }

  @Test("Equal documents have no difference")
  func equal() {
    let draft = Self.draft(1, ["flags": "{}"])
    #expect(DeploymentDifference(from: draft, to: draft).isEmpty && Self.lines(draft, draft) == [])
  }

  @Test("Changed values, parts and lines are listed")
  func changes() {
    var new = Self.draft(2, ["flags": "{\n\"a\": 2\n}", "pages/a.example": "\0\0\0", "routes": "{}"])
    new.minimumAppVersion = "3"
    new.permille = 100
    new.revokedKeys = ["b", "a"]
    let old = Self.draft(1, ["flags": "{\n\"a\": 1\n}", "pages/a.example": "\0", "addresses": "{}"])
    #expect(
      Self.lines(old, new) == [
        "~ version: 1 → 2", "~ minimum app: any → 3", "~ share: all → 100 of 1000 by all",
        "~ revoked keys: none → a, b", "- part addresses, 2 bytes", "part flags", "- 2: \"a\": 1",
        "+ 2: \"a\": 2", "~ part pages/a.example: 1 → 3 bytes", "+ part routes, 2 bytes",
      ])
  }

  @Test("A line of a part can't control the terminal, and long parts are not compared line by line")
  func shown() {
    let old = Self.draft(1, ["note": "a", "long": String(repeating: "\n", count: 3_000)])
    let new = Self.draft(1, ["note": "\u{1B}[2J", "long": String(repeating: "x\n", count: 3_000)])
    #expect(
      Self.lines(old, new) == [
        "~ part long: 3000 → 6000 bytes", "part note", "- 1: a", "+ 1: \\u{1B}[2J",
      ])
  }
}
