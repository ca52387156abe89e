import APIManagers
import HTTPTypes
import Interception
import Testing

@Suite struct PathTemplateTests {
  enum Part: String { case photos, plans }
  struct Params: Sendable {
    var id = "7"
    var number = 3
    var part = Part.photos
  }

  static func path(_ template: PathTemplate<Params>, _ params: Params) throws -> String? {
    let service = Service("estate", at: ServiceAddress(authority: "api.example"))
    let endpoint = Endpoint<Params>(service, "x", path: template, encoding: .pathOnly)
    return try endpoint.request(for: params, at: service.release).head.path
  }

  @Test("Placeholders are filled with text, numbers and raw values")
  func placeholders() throws {
    #expect(try Self.path("/houses/\(\.id)/\(\.part)/\(\.number)", Params()) == "/houses/7/photos/3")
  }

  @Test(
    "A value remains a single segment, whatever it contains",
    arguments: [
      ("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("a b", "a%20b"), ("a?b#c", "a%3Fb%23c"), ("100%", "100%25"),
      ("%2F", "%252F"), ("Zürich", "Z%C3%BCrich"), ("a+b&c=d;e", "a%2Bb%26c%3Dd%3Be"), ("~-._", "~-._"),
      ("\u{0}\r\n", "%00%0D%0A"),
    ])
  func encoding(value: String, encoded: String) throws {
    #expect(try Self.path("/houses/\(\.id)", Params(id: value)) == "/houses/\(encoded)")
  }

  @Test("A value that would address another resource is refused", arguments: ["", ".", ".."])
  func dots(value: String) throws {
    let error = try #require(throws: ParamsError.self) {
      try Self.path("/houses/\(\.id)", Params(id: value))
    }
    #expect(error.field == "id")
  }

  @Test("The literal parts of a template are percent-encoded only where necessary")
  func literals() throws {
    #expect(try Self.path("/häuser/a b;c%20d%/x", Params()) == "/h%C3%A4user/a%20b;c%20d%25/x")
  }

  @Test(
    "A path without a leading slash, or with a query or fragment, is refused with the remedy",
    arguments: [
      (
        "houses/\(\.id)",
        "The endpoint's path \"houses/{id}\" does not begin with a slash; write \"/houses/{id}\"."
      ),
      ("\(\.id)", "does not begin with a slash"), ("houses", "write \"/houses\""),
      ("/houses?page=1", "contains \"?\""),
      ("/houses/\(\.id)?page=\(\.number)", "send query fields as params"),
      ("/houses#top", "remove the fragment"),
    ] as [(PathTemplate<Params>, String)])
  func refusedPath(template: PathTemplate<Params>, message: String) throws {
    let fault = try #require(throws: ParamsError.self) { try Self.path(template, Params()) }
    #expect(fault.field == nil)
    #expect(fault.description.contains(message))
  }

  @Test("A value may contain a question mark, and an empty path is the service's base") func acceptedPath()
    throws
  {
    #expect(try Self.path("/houses/\(\.id)", Params(id: "what?")) == "/houses/what%3F")
    #expect(try Self.path("", Params()) == "/")
  }
}
