import Mediation
import Testing

@Suite struct RouteOutputTests {
  struct Anything: Route {
    static let pattern: RoutePattern =
      "estate://any/caf%C3%A9/{text}/{n:int}/{tail...}?tag={tag?}&on={on:bool}"
    var text: String? = "x"
    var number = "1"
    var tail = ["a"]
    var tags: [String] = []
    var extra = false

    init() {}

    init(from input: RouteInput) throws(RouteError) {
      text = try input.value("text")
      number = try input.value("n")
      tail = try input.rest("tail")
      tags = try input.all("tag")
    }

    func write(to output: inout RouteOutput) {
      output.set("text", to: text)
      output.set("n", to: number)
      output.set("tail", toRest: tail)
      output.set("tag", toAll: tags)
      output.set("on", to: true)
      if extra { output.set("extra", to: 1) }
    }
  }

  private static let mediator = Result { () throws(RouteTableIssue) in
    try Mediator(
      schemes: ["estate"], modules: [TestModule { $0.action(Anything.self) { _, _ in } }])
  }

  @Test("Tails, repeated fields and literals are written so that they read back")
  func readable() throws {
    var route = Anything()
    route.text = "a/b"
    route.tail = ["x", "..x", "y/z"]
    route.tags = ["1", "", "2&3"]
    let mediator = try Self.mediator.get()
    let url = try mediator.url(for: route)
    #expect(url == "estate://any/caf%C3%A9/a%2Fb/1/x/..x/y%2Fz?tag=1&tag=&tag=2%263&on=true")
    #expect(
      try mediator.resolve(url).parameters == [
        "text": "a/b", "n": "1", "tail": "x", "tag": "1", "on": "true",
      ])
  }

  @Test(
    "A value that a URL cannot carry is an error that names the parameter",
    arguments: [
      Sample("text", .missing) { $0.text = nil }, Sample("text", .unwritable) { $0.text = "" },
      Sample("text", .unwritable) { $0.text = ".." }, Sample("text", .unwritable) { $0.text = "a\0" },
      Sample("text", .tooLong(limit: 1024)) { $0.text = String(repeating: "x", count: 1025) },
      Sample("n", .notOfKind(.int)) { $0.number = "x" }, Sample("tail", .missing) { $0.tail = [] },
      Sample("tail", .unwritable) { $0.tail = ["a", "."] }, Sample("extra", .undeclared) { $0.extra = true },
    ])
  func unwritable(_ sample: Sample) throws {
    var route = Anything()
    sample.change(&route)
    let mediator = try Self.mediator.get()
    let error = #expect(throws: RouteError.self) { try mediator.url(for: route) }
    #expect(error?.caseName == "parameter \(sample.name) \(sample.reason)")
  }

  struct Sample: Sendable {
    let name: String
    let reason: RouteError.ParameterFault
    let change: @Sendable (inout Anything) -> Void

    init(
      _ name: String, _ reason: RouteError.ParameterFault,
      _ change: @escaping @Sendable (inout Anything) -> Void
    ) {
      self.name = name
      self.reason = reason
      self.change = change
    }
  }
}
