import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestValidation

@Suite struct ValidationInterceptorTests {
  private static let houses = APIIdentity(service: "estate", name: "houses.list")

  private func request(_ path: String, api: APIIdentity? = houses) -> Request {
    var request = Request(authority: "a.example", path: path)
    request.context.api = api
    return request
  }

  @Test("B5: If an interceptor throws, nothing is sent")
  func refuses() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) { ValidationInterceptor() }
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request("houses")) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.origin == .interceptor("ValidationInterceptor"))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("A valid request and its response are passed on unchanged")
  func validRequest() async throws {
    let dispatcher = ScriptedDispatcher(answering: Response(status: .notFound, bytes: [1, 2]))
    let pipeline = try Pipeline(over: dispatcher) { ValidationInterceptor() }
    let response = try await pipeline.send(request("/houses?city=sh"))
    #expect(response.status == .notFound)
    #expect(try await response.body.collect(upTo: 2) == [1, 2])
    #expect(dispatcher.requests.map(\.head) == [request("/houses?city=sh").head])
  }

  @Test("All violations are reported at once, in the order of a request, without values")
  func allFaults() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      ValidationInterceptor(
        limits: RequestLimits(schemes: ["https"]),
        rules: [
          .requiringQuery(["city", "page"], of: Self.houses),
          ValidationRule("tenant") { _ in "Name the tenant." },
        ])
    }
    var bad = Request(
      method: .get, scheme: "ftp", authority: "user:s3cr3t@a.example", path: "/a b?city=",
      body: .text("s3cr3t"))
    bad.context.api = Self.houses
    bad.head.headerFields.append(HTTPField(name: .authorization, lenientValue: Array("s3cr3t\u{2}".utf8)))
    let refused = bad
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(refused) }
    let failure = try #require(error?.underlying(as: RuleViolationError.self))
    #expect(
      failure.breaches.map(\.rule) == ["scheme", "authority", "path", "fields", "body", "query", "tenant"])
    let reason = try #require(error?.reason)
    for violation in failure.breaches { #expect(reason.contains(violation.sentence)) }
    #expect(!reason.contains("s3cr3t"))
    #expect(reason.hasPrefix("Use the scheme https"))
    #expect(reason.contains("Add the query parameters city, page to the request of estate/houses.list."))
  }

  @Test("The description is limited in length however many violations there are")
  func boundedDescription() async throws {
    let rules = (0..<1_000).map { number in ValidationRule("rule \(number)") { _ in "Do \(number)." } }
    let interceptor = ValidationInterceptor(rules: rules)
    let failure = RuleViolationError(breaches: interceptor.breaches(in: request("/")))
    #expect(failure.breaches.count == 1_000)
    #expect(failure.description.hasSuffix("Do 15. (And 984 more.)"))
  }

  @Test("A rule applies only to the requests of its API")
  func ruleForAPI() {
    let interceptor = ValidationInterceptor(rules: [.requiringQuery(["city"], of: Self.houses)])
    #expect(interceptor.breaches(in: request("/")).map(\.rule) == ["query"])
    #expect(interceptor.breaches(in: request("/", api: nil)).isEmpty)
    #expect(
      interceptor.breaches(in: request("/", api: APIIdentity(service: "estate", name: "other"))).isEmpty)
    #expect(
      interceptor.breaches(in: request("/?%63ity=sh")).isEmpty, "Percent-encoded names aren't decoded.")
  }

  @Test("Stock rules for fields and bodies name what is absent")
  func stockRules() {
    let interceptor = ValidationInterceptor(rules: [
      .requiringFields([.authorization, .accept]), .requiringBody(of: Self.houses),
    ])
    var post = Request(method: .post, authority: "a.example", path: "/")
    post.context.api = Self.houses
    post.head.headerFields[.accept] = "application/json"
    #expect(
      interceptor.breaches(in: post).map(\.sentence) == [
        "Add the header field Authorization to the request of estate/houses.list.",
        "Give the request of estate/houses.list a body; it has none.",
      ])
    post.body = .text("{}")
    post.head.headerFields[.authorization] = "Bearer t"
    #expect(interceptor.breaches(in: post).map(\.rule) == ["required body"])
    post.head.headerFields[.contentType] = "application/json"
    #expect(interceptor.breaches(in: post).isEmpty)
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: Response
    var method = HTTPRequest.Method.get
    let passes: Bool
  }

  static let answers: [Answer] = [
    Answer(testDescription: "JSON", response: json("application/json"), passes: true),
    Answer(
      testDescription: "with a parameter", response: json("Application/JSON ; charset=utf-8"), passes: true),
    Answer(testDescription: "a +json type", response: json("application/problem+json"), passes: true),
    Answer(testDescription: "a web page", response: json("text/html"), passes: false),
    Answer(testDescription: "a similar type", response: json("application/jsonp"), passes: false),
    Answer(testDescription: "no type", response: Response(status: .ok, bytes: [1]), passes: false),
    Answer(testDescription: "no content", response: Response(status: .noContent), passes: true),
    Answer(testDescription: "empty", response: Response(status: .ok), passes: false),
    Answer(testDescription: "empty, of HEAD", response: Response(status: .ok), method: .head, passes: true),
    Answer(
      testDescription: "the web page of an error",
      response: Response(status: .badGateway, headerFields: [.contentType: "text/html"], bytes: [1]),
      passes: true),
  ]

  private static func json(_ type: String) -> Response {
    Response(status: .ok, headerFields: [.contentType: type], bytes: Array("{}".utf8))
  }

  @Test("A response that violates a rule is thrown as rejected, possibly processed", arguments: answers)
  func answer(_ answer: Answer) async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: answer.response)) {
      ValidationInterceptor(responseRules: [.requiringJSON(of: Self.houses), .requiringBody()])
    }
    var asked = request("/")
    asked.head.method = answer.method
    do throws(NetworkError) {
      let response = try await pipeline.send(asked)
      #expect(answer.passes)
      #expect(response.status == answer.response.status)
    } catch {
      #expect(!answer.passes)
      #expect(error.kind == .rejected)
      #expect(error.requestMayHaveBeenProcessed)
      #expect(error.underlying(as: RuleViolationError.self)?.violations.count == 1)
    }
  }

  @Test("The stream of a refused response is cancelled unread")
  func refusedStream() async throws {
    let source = ScriptedByteSource([[1]])
    let dispatcher = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"]),
        body: .stream(BodyStream(length: nil, source)))
    }
    let pipeline = try Pipeline(over: dispatcher) {
      ValidationInterceptor(responseRules: [.requiringJSON()])
    }
    await #expect(throws: NetworkError.self) { try await pipeline.send(request("/")) }
    #expect(source.isCancelled)
    #expect(source.reads == 0)
  }
}
