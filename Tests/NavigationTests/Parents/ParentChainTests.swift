import Mediation
import Testing

@testable import Navigation

@Suite struct ParentChainTests {
  /// A route whose parents are listed.
  private struct Node: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://node"
    var name = ""
    var parents: [any Route] = []

    init() {}

    init(_ name: String, _ parents: Node...) {
      self.name = name
      self.parents = parents
    }
  }

  private static func names(of node: Node) throws -> [String] {
    try ParentChain(of: node) { try RouteURL("estate://\(($0 as? Node)?.name ?? "-")") }.parents
      .map(\.url.host)
  }

  @Test("The lowest screen comes first, and each screen once")
  func order() throws {
    let home = Node("home")
    let north = Node("north", home)
    #expect(try Self.names(of: Node("own")) == [])
    #expect(try Self.names(of: Node("own", north)) == ["home", "north"])
    #expect(try Self.names(of: Node("own", home, north)) == ["home", "north"])
    #expect(try Self.names(of: Node("own", north, home, Node("top", north))) == ["home", "north", "top"])
  }

  @Test("A route that is its own parent is a cycle, and a parent reached in two ways is none")
  func cycle() {
    #expect(throws: NavigationError.parentCycle(["Node", "Node"])) {
      try Self.names(of: Node("own", Node("own")))
    }
    #expect(throws: NavigationError.parentCycle(["Node", "Node", "Node"])) {
      try Self.names(of: Node("own", Node("a", Node("own"))))
    }
  }

  @Test("At most 16 screens are below one, side by side or one below the other")
  func limit() throws {
    var wide = Node("own")
    wide.parents = (0..<16).map { Node("\($0)") }
    #expect(try Self.names(of: wide).count == 16)
    wide.parents.append(Node("16"))
    #expect(throws: NavigationError.self) { try Self.names(of: wide) }
    var deep = Node("15")
    for level in (0..<15).reversed() { deep = Node("\(level)", deep) }
    #expect(try Self.names(of: Node("own", deep)).count == 16)
    #expect(throws: NavigationError.self) { try Self.names(of: Node("own", Node("top", deep))) }
  }
}
