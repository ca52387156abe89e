import APIGeneration
import APIManagers
import HTTPTypes
import Interception
import Synchronization
import Testing

/// The files in Generated are a part of this module, so that it compiles only if they do.
///
/// After a change of the generator or of a document, generate them again:
/// `switchyard generate Documents/Shop.yaml -o Generated/Shop.swift --stub Generated/ShopStub.swift`.
/// Those of Shop and Forms are made with `--public`.
@Suite struct GeneratedCodeTests {
  @Test(
    "L6: Code generated from an OpenAPI document compiles, calls a stub of it, and its drift is found",
    .timeLimit(.minutes(5)), arguments: CorpusDocument.allCases)
  func wholeRow(_ document: CorpusDocument) async throws {
    let output = try document.generator.output(for: try document.bytes())
    // What this module has compiled is what the document yields now.
    #expect(GeneratedDrift(from: try document.generated(), to: output.code) == nil)
    #expect(GeneratedDrift(from: try document.generated("Stub"), to: output.stub) == nil)

    let (errors, changed) = await results(of: document)
    #expect(errors.isEmpty, "operations that failed: \(errors)")
    #expect(changed.isEmpty, "examples that changed: \(changed)")

    let drifted = try document.text().replacing(
      "paths:\n", with: "paths:\n  /drift:\n    get: {operationId: drift, responses: {}}\n")
    let drift = try #require(
      GeneratedDrift(from: try document.generated(), to: try document.generator.output(of: drifted).code))
    let lines = drift.lines(of: "Code.swift")
    #expect(lines.contains { $0.hasPrefix("Code.swift:") && $0.contains("struct Drift: API") }, "\(lines)")
  }

  private func results(of document: CorpusDocument) async -> ([String: any Error], [String]) {
    switch document {
    case .shop: (await ShopStub.callAll(APIClient(dispatcher: ShopStub())), ShopStub.changedExamples())
    case .forms: (await FormsStub.callAll(APIClient(dispatcher: FormsStub())), FormsStub.changedExamples())
    case .unions:
      (await UnionsStub.callAll(APIClient(dispatcher: UnionsStub())), UnionsStub.changedExamples())
    case .families:
      (await FamiliesStub.callAll(APIClient(dispatcher: FamiliesStub())), FamiliesStub.changedExamples())
    case .names: (await NamesStub.callAll(APIClient(dispatcher: NamesStub())), NamesStub.changedExamples())
    }
  }

  // MARK: Requests

  @Test("Params are sent in the path, the query, the header and the body as the document says")
  func params() async throws {
    let recorder = Recorder(ShopStub())
    #expect(await ShopStub.callAll(APIClient(dispatcher: recorder)).isEmpty)
    let list = try #require(recorder.requests.first { $0.context.api?.name == "listItems" })
    #expect(
      list.head.path
        == "/v1/items?category=tools&tags=new&tags=red%20%26%20blue&ids=3%2C4&since=2025-03-01T12%3A00%3A00Z"
        + "&filter%5Bcolor%5D=red&filter%5Bminimum%5D=2&default=true&limit=10&after=text")
    #expect(list.head.headerFields[values: try #require(HTTPField.Name("X-Trace-Id"))] == ["abc"])
    let add = try #require(recorder.requests.first { $0.context.api?.name == "addItem" })
    #expect(add.head.method == .post)
    #expect(add.head.headerFields[.contentType] == "application/json")
  }

  @Test("Forms, files and raw content are sent in the formats that the document says")
  func forms() async throws {
    let recorder = Recorder(FormsStub())
    let client = APIClient(dispatcher: recorder)
    #expect(await FormsStub.callAll(client).isEmpty)
    func type(_ name: String) -> String? {
      recorder.requests.first { $0.context.api?.name == name }?.head.headerFields[.contentType]
    }
    #expect(type("login") == "application/x-www-form-urlencoded")
    #expect(type("putPhoto") == "application/octet-stream")
    #expect(type("importItems")?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(
      recorder.requests.first { $0.context.api?.name == "putPhoto" }?.head.path == "/v1/items/1/photo.png")
    let text = try await client.load(
      Forms.ImportItems(),
      Forms.ImportItems.Params(purpose: "all", file: Forms.FileContent(.text("a,b"), fileName: "a.csv")))
    #expect(text == "2 items")
  }

  @Test(
    "Params of the less frequent styles are sent as OpenAPI says, and the status chooses the failure")
  func styles() async throws {
    var stub = FormsStub()
    let recorder = Recorder(stub)
    #expect(await FormsStub.callAll(APIClient(dispatcher: recorder)).isEmpty)
    let request = try #require(recorder.requests.first { $0.context.api?.name == "search" })
    #expect(
      request.head.path
        == "/v1/search?kind=all&words=a%7Cb&color=red&minimum=1&where=%7B%22minimum%22%3A2%7D&either=3&page=1"
    )
    #expect(request.head.headerFields[values: try #require(HTTPField.Name("X-Fields"))] == ["a,b"])
    let client = APIClient(dispatcher: stub)
    let error = await #expect(throws: APIError.self) {
      try await client.load(Forms.Search(), Forms.Search.Params(xFields: ["a\r\nEvil: 1"]))
    }
    #expect(error?.kind == .invalidParams(field: "X-Fields"))
    for (status, content) in [(HTTPResponse.Status.gone, #"{"title":"t"}"#), (.badGateway, #""broken""#)] {
      stub.responses["search"] = Response(status: status, bytes: Array(content.utf8))
      let client = APIClient(dispatcher: stub)
      let error = await #expect(throws: APIError.self) {
        try await client.load(Forms.Search(), Forms.Search.Params())
      }
      switch error?.failureBody(of: Forms.Search.self) {
      case .clientError(let body)?: #expect(status == .gone && body.title == "t")
      case .other(let text)?: #expect(status == .badGateway && text == "broken")
      case nil: Issue.record("no failure for \(status)")
      }
    }
  }

  @Test("An operation for which the document asks for no credentials sends none")
  func credentials() {
    #expect(!Forms.GetPhoto.endpoint.context.sendsCredentials)
    #expect(Forms.PutPhoto.endpoint.context.sendsCredentials)
  }

  @Test("A key is sent in its field, to the service only")
  func key() async throws {
    let recorder = Recorder(FormsStub())
    let pipeline = try Pipeline(over: recorder) { try Forms.authorization(try Forms.Key(key: "k-1")) }
    _ = try await APIClient(dispatcher: pipeline).load(Forms.GetPing())
    let field = try #require(HTTPField.Name("X-Shop-Key"))
    #expect(recorder.requests.first?.head.headerFields[field] == "k-1")
  }

  @Test("A list's pages are loaded by the document's rule, until there is no next one")
  func pages() async throws {
    let last = Recorder(
      InlineDispatcher { request in
        let isFirst = request.head.path?.contains("after=") == false
        return Response(
          status: .ok,
          bytes: Array(
            (isFirst
              ? #"{"items":[{"id":1,"name":"a"}],"next":"c2"}"#
              : #"{"items":[{"id":2,"name":"b"}],"next":null}"#)
              .utf8))
      })
    let client = APIClient(dispatcher: last)
    var names: [String] = []
    for try await item in Shop.ListItems.pages(
      of: Shop.ListItems.Params(category: .toys), size: 1, from: client)
    {
      names.append(item.name)
    }
    #expect(names == ["a", "b"])
    #expect(
      last.requests.map(\.head.path) == [
        "/v1/items?category=toys&limit=1", "/v1/items?category=toys&limit=1&after=c2",
      ])
  }

  // MARK: Responses

  @Test("A status chooses the type of the output and of the failure")
  func statuses() async throws {
    let item = Shop.Item(id: 3, name: "Hammer")
    var stub = ShopStub()
    let created = try await APIClient(dispatcher: stub).load(Shop.AddItem(), Shop.AddItem.Params(body: item))
    if case .created(let item) = created {
      #expect(item.name == "Hammer")
    } else {
      Issue.record("not created")
    }

    stub.responses["addItem"] = Response(status: .noContent)
    let none = try await APIClient(dispatcher: stub).load(Shop.AddItem(), Shop.AddItem.Params(body: item))
    if case .noContent = none {} else { Issue.record("\(none)") }

    stub.responses["addItem"] = Response(status: .conflict, bytes: Array(#"{"existing":7}"#.utf8))
    let client = APIClient(dispatcher: stub)
    let error = await #expect(throws: APIError.self) {
      try await client.load(Shop.AddItem(), Shop.AddItem.Params(body: item))
    }
    if case .conflict(let body)? = error?.failureBody(of: Shop.AddItem.self) {
      #expect(body.existing == 7)
    } else {
      Issue.record("no failure body: \(String(describing: error))")
    }
  }

  @Test("Unions choose their alternative by the discriminator, by its implied values, or by the content")
  func unions() throws {
    func shape(_ json: String) throws -> Unions.Shape { try UnionsStub.value(json) }
    #expect(try shape(#"{"kind":"square","sides":4}"#) == .polygon(Unions.Polygon(kind: "square", sides: 4)))
    #expect(try shape(#"{"kind":"circle","radius":2}"#) == .circle(Unions.Circle(kind: "circle", radius: 2)))
    if case .unknown = try shape(#"{"kind":"blob"}"#) {} else { Issue.record("a blob is no known shape") }
    let scalars: [Unions.Scalar] = try UnionsStub.value(#"[true, 3, 1.5, "text", ["a"]]"#)
    #expect(scalars == [.boolean(true), .integer(3), .number(1.5), .text("text"), .list(["a"])])
    let contact: Unions.Contact = try UnionsStub.value(##"{"number":"1"}"##)
    if case .phone(let phone) = contact { #expect(phone.number == "1") } else { Issue.record("\(contact)") }
    let event: Unions.Event = try UnionsStub.value(#"{"type":"closed"}"#)
    if case .closed = event {} else { Issue.record("\(event)") }
    let vehicle: Unions.Vehicle = try UnionsStub.value(#"{"vehicle":"Boat"}"#)
    if case .boat = vehicle {} else { Issue.record("\(vehicle)") }
  }

  @Test("Enumerations keep values that the document doesn't name, and tell +1 from -1")
  func enumerations() throws {
    let reactions: [Names.Reaction] = try NamesStub.value(#"["+1", "-1", "", "heart"]"#)
    #expect(reactions == [.plus1, .minus1, .empty, Names.Reaction(rawValue: "heart")])
    #expect(Names.Level.value1.rawValue == 1)
  }

  @Test("A type that contains itself keeps its values")
  func recursion() throws {
    let tree: Families.Tree = try FamiliesStub.value(#"{"name":"leaf","parent":{"name":"root"}}"#)
    #expect(tree.parent?.name == "root")
    var changed = tree
    changed.parent?.name = "stem"
    #expect(changed.parent?.name == "stem" && tree.parent?.name == "root")
  }

  @Test("A required property that is null is sent")
  func explicitNull() throws {
    let bytes = try JSONCoding().encode(Unions.Drawing(shapes: []))
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"owner":null,"shapes":[]}"#)
  }
}

/// A dispatcher that responds by a closure.
private struct InlineDispatcher: Dispatcher {
  let respond: @Sendable (Request) -> Response

  func dispatch(_ request: Request) async throws(NetworkError) -> Response { respond(request) }
}

/// A dispatcher that records requests before another one responds.
private final class Recorder: Dispatcher {
  private let received = Mutex<[Request]>([])
  private let next: any Dispatcher

  init(_ next: any Dispatcher) { self.next = next }

  var requests: [Request] { received.withLock { $0 } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    received.withLock { $0.append(request) }
    return try await next.dispatch(request)
  }
}
