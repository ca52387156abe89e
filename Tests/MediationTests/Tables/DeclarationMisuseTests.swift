import CommandRunning
import Testing

/// What a module's engineer can get wrong in a declaration, as the compiler reports it.
@Suite(.enabled(if: Typechecker.isAvailable, "needs swiftc in PATH and the build's Modules folder"))
struct DeclarationMisuseTests {
  private static let declarations = """
    import Mediation
    struct PriceRoute: ParameterlessRoute {
      typealias Output = Int
      static let pattern: RoutePattern = "estate://price"
    }
    struct PhotoRoute: NativeRoute { typealias Output = Int }
    func text() async throws -> String { "" }
    struct Prices: BusinessModule {
      let name = "Prices"
      func declare(into table: inout RouteTable) {

    """

  @Test(
    "A body that returns the route's output compiles", .timeLimit(.minutes(5)),
    arguments: [
      "table.action(PriceRoute.self) { _, _ in 1 }", "table.action(PhotoRoute.self) { _, _ in 1 }",
      "table.action(PriceRoute.self) { _, _ in throw RouteError.dismissed }",
      "table.action(PriceRoute.self) { _, _ in\nlet one = try await text().count\nreturn one\n}",
    ])
  func rightUse(_ line: String) async throws {
    #expect(try await Typechecker.errors(in: Self.declarations + line + "\n}\n}\n") == "")
  }

  @Test(
    "A body that returns another type is reported as that", .timeLimit(.minutes(5)),
    arguments: [
      "table.action(PriceRoute.self) { _, _ in \"1\" }", "table.action(PhotoRoute.self) { _, _ in \"1\" }",
      "table.action(PriceRoute.self) { _, _ in try await text() }",
      "table.action(PriceRoute.self) { _, _ in\nlet one = try await text()\nreturn one\n}",
      "table.action(PriceRoute.self) { _, _ in print() }",
    ])
  func wrongOutput(_ line: String) async throws {
    let errors = try await Typechecker.errors(in: Self.declarations + line + "\n}\n}\n")
    #expect(errors.contains("the body does not return the route's Output"))
    #expect(!errors.contains("NativeRoute"))
  }
}
